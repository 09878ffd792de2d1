import underPressure from '@fastify/under-pressure'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is served under overload, too: health, and documents without which other services stop. */
    vital?: boolean
  }
  interface FastifyRequest {
    /** `shed`: refused before anything of it was processed. */
    admission: 'none' | 'shed'
  }
}

/** How overload is measured. */
interface OverloadOptions {
  /** How long the oldest query in the queue has waited for the database, in milliseconds. */
  queueAge: () => number
}

/** The service is overloaded; nothing of the request was processed. */
export class OverloadError extends Error {
  readonly code = 'OVERLOADED'
  readonly statusCode = 503
  /** When to try again, in seconds. */
  readonly retryAfter = 2
}

/** How often the delay of the event loop is sampled, in milliseconds: short enough to recover soon, long enough to ignore one pause. */
const LOOP_INTERVAL_MS = 1_000
/** Limit of the mean delay of the event loop in that time, in milliseconds. */
const MAX_LOOP_DELAY_MS = 400
/** How often the age of the queue is checked, in milliseconds. */
const QUEUE_INTERVAL_MS = 100
/** Limit of the time in the queue, in milliseconds. Below a second, shedding answers fewer requests, and later, than serving all. */
const MAX_QUEUE_AGE_MS = 1_000
/** How often the log reports how many requests were shed, in milliseconds: a line for each would add to the load. */
const LOG_INTERVAL_MS = 1_000

/** Load shedding: refuses new requests at once while accepted ones wait too long. @throws OverloadError in the request's scope */
export default fp<OverloadOptions>(async function overload (fastify, { queueAge }) {
  // One for all requests: a stack trace for each would add to the load.
  const error = new OverloadError('too much to do')
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
    // Twice in a row: after a pause of this process, everything seems old for a moment.
    async healthCheck () {
      late = queueAge() < MAX_QUEUE_AGE_MS ? 0 : late + 1
      return late < 2
    },
    healthCheckInterval: QUEUE_INTERVAL_MS,
    async pressureHandler (request, _reply, type) {
      // What delays the start is not load, and for two intervals a sample may be from before the start.
      const isStart = type === 'eventLoopDelay' && performance.now() - listeningSince < 2 * LOOP_INTERVAL_MS
      if (!fastify.server.listening || isStart || request.routeOptions.config.vital === true) return
      refuse(request)
      throw error
    }
  })
}, { name: 'overload', fastify: '5.x' })
