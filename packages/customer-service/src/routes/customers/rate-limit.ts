import fp from 'fastify-plugin'
import { rateLimitExceeded } from '../../problems/access.js'
import type { RateLimiter } from '../../stores/rate-limiter.js'
import { callerOf } from './actor.js'

/** Limits each user's requests with each client and with all clients: draft-ietf-httpapi-ratelimit-headers-10. */
export default fp<{ rateLimiter: RateLimiter }>(async function rateLimit (fastify, { rateLimiter }) {
  const { requests, seconds } = rateLimiter.limit
  const policy = `"default";q=${requests};w=${seconds}`

  fastify.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.scope === undefined) return
    const usage = await rateLimiter.count(callerOf(request))
    if (usage === null) return
    const { isExceeded, remaining, resetSeconds } = usage
    reply.headers({ 'RateLimit-Policy': policy, RateLimit: `"default";r=${remaining};t=${resetSeconds}` })
    if (isExceeded) {
      const detail = `Too many requests in ${seconds} seconds. Nothing was changed. Try again in ${resetSeconds} seconds.`
      throw rateLimitExceeded(detail, { headers: { 'Retry-After': String(resetSeconds) } })
    }
  })
}, { name: 'rate-limit', fastify: '5.x', dependencies: ['bearer'] })
