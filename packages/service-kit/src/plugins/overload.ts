import underPressure from '@fastify/under-pressure'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Serves the route even under overload: health, and documents that other services need. */
    vital?: boolean
  }
  interface FastifyRequest {
    /** `shed`: rejected before it was processed. */
    admission: 'none' | 'shed'
  }
}

interface OverloadOptions {
  /** How long the oldest query in the queue has waited for the database, in milliseconds, if there is a database. */
  queueAge?: (() => number) | undefined
}

/** The service is overloaded; the request was not processed. */
export class OverloadError extends Error {
  readonly code = 'OVERLOADED'
  readonly statusCode = 503
  /** When to try again, in seconds. */
  readonly retryAfter = 2
}

/** How often to sample the event loop's delay: short enough to recover soon, long enough to ignore one pause. */
const LOOP_INTERVAL_MS = 1_000
/** Limit of the event loop's mean delay in that time. */
const MAX_LOOP_DELAY_MS = 400
/** How often to check the queue's age. */
const QUEUE_INTERVAL_MS = 100
/** Limit of the queue's age. With less than a second, shedding responds to fewer requests, and later, than no shedding. */
const MAX_QUEUE_AGE_MS = 1_000
/** How often to log the number of shed requests: a line for each would add to the load. */
const LOG_INTERVAL_MS = 1_000

/** Load shedding: rejects new requests while accepted ones wait too long. @throws OverloadError in the request's scope */
export default fp<OverloadOptions>(async function overload (fastify, { queueAge }) {
  // One for all requests: a stack trace for each would add to the load.
  const error = new OverloadError('the service is overloaded')
  let listeningSince = Infinity
  fastify.addHook('onListen', async () => { listeningSince = performance.now() })
  let shed = 0
  let late = 0

  function refuse (request: FastifyRequest) {
    request.admission = 'shed'
    if (shed++ > 0) return
    setTimeout(() => {
      fastify.log.warn({ requests: shed }, 'too many requests arrive; some were refused')
      shed = 0
    }, LOG_INTERVAL_MS).unref()
  }

  fastify.decorateRequest('admission', 'none')
  await fastify.register(underPressure, {
    sampleInterval: LOOP_INTERVAL_MS,
    maxEventLoopDelay: MAX_LOOP_DELAY_MS,
    ...queueAge !== undefined && {
      // Twice in a row, because everything seems old for a moment after a pause of this process.
      async healthCheck () {
        late = queueAge() < MAX_QUEUE_AGE_MS ? 0 : late + 1
        return late < 2
      },
      healthCheckInterval: QUEUE_INTERVAL_MS
    },
    async pressureHandler (request, _reply, type) {
      // Delays of the start are not load, and a sample may be from before the start for two intervals.
      const isStart = type === 'eventLoopDelay' && performance.now() - listeningSince < 2 * LOOP_INTERVAL_MS
      if (!fastify.server.listening || isStart || request.routeOptions.config.vital === true) return
      refuse(request)
      throw error
    }
  })
}, { name: 'overload', fastify: '5.x' })
