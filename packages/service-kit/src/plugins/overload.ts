import underPressure from '@fastify/under-pressure'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is served under overload too: what tells others how this service is, or lets them go on without it. */
    vital?: boolean
  }
  interface FastifyRequest {
    /** `shed`: refused, and nothing of it was looked at. */
    admission: 'none' | 'shed'
  }
}

/** What overload is measured by. */
export interface OverloadOptions {
  /** How long the oldest question to the database has waited for its turn, in milliseconds. */
  queueAge: () => number
}

/** The service has more to do than it can: nothing of the request was looked at. */
export class OverloadError extends Error {
  readonly code = 'OVERLOADED'
  readonly statusCode = 503
  /** When to try again, in seconds. */
  readonly retryAfter = 2
}

/** How often the event loop is looked at, in milliseconds: short enough to end soon, long enough for one pause to be none. */
const LOOP_INTERVAL_MS = 1_000
/** Mean delay of the event loop in that time, in milliseconds. */
const MAX_LOOP_DELAY_MS = 400
/** How often the queue is looked at, in milliseconds. */
const QUEUE_INTERVAL_MS = 100
/** Longest time in the queue, in milliseconds: what is taken is answered within a second. */
const MAX_QUEUE_AGE_MS = 500
/** How often the log says how many were refused, in milliseconds: a line each would be work where there is too much. */
const LOG_INTERVAL_MS = 1_000

/** Refuses new requests at once while those that were taken wait too long. @throws OverloadError in the request's scope */
export default fp<OverloadOptions>(async function overload (fastify, { queueAge }) {
  // One for all: a stack trace for each would be work where there is too much.
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
    // Twice in a row: after a pause of this process everything looks old for a moment.
    async healthCheck () {
      late = queueAge() < MAX_QUEUE_AGE_MS ? 0 : late + 1
      return late < 2
    },
    healthCheckInterval: QUEUE_INTERVAL_MS,
    async pressureHandler (request, _reply, type) {
      // What delays the start is no load: what was seen last may be of before it for two intervals.
      const isStart = type === 'eventLoopDelay' && performance.now() - listeningSince < 2 * LOOP_INTERVAL_MS
      if (!fastify.server.listening || isStart || request.routeOptions.config.vital === true) return
      refuse(request)
      throw error
    }
  })
}, { name: 'overload', fastify: '5.x' })
