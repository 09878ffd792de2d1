import type { Test } from 'tap'
import { build } from './helper.js'

type Service = Awaited<ReturnType<typeof build>>

/** Two replicas, with tokens of one issuer. */
export async function buildTwo (t: Test) {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl, ISSUER: one.issuer.url, JWKS_URL: one.issuer.url })
  const send: Service['send'] = (method, path, options = {}) => two.send(method, path, { token: one.everything, ...options })
  return [one, { ...two, send }] as const
}
