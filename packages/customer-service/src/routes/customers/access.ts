import fp from 'fastify-plugin'
import type { Config } from '../../config.js'
import type { Keys } from '../../keys/keys.js'
import type { Revocations } from '../../revocations/revocations.js'
import type { Stores } from '../../stores/open.js'
import { createProofs } from '../../tokens/proofs.js'
import { createStepUpCheck } from '../../tokens/step-up.js'
import { createVerifier } from '../../tokens/verify.js'
import { metadataUrl, publicOrigin } from '../metadata/index.js'
import bearer from './bearer.js'
import { createAcceptBound } from './bound.js'
import rateLimit from './rate-limit.js'

/** What decides about access. */
export interface AccessOptions {
  config: Config
  stores: Stores
  /** `null` exactly if no tokens are needed (`AUTH=none`). */
  keys: Keys | null
  /** `null`: no revocation feed. */
  revocations: Revocations | null
}

/** A resource other than the REST API: the required `aud` of its access tokens, and its path after the prefix. */
interface Resource { audience?: string, path?: string }

/** Authenticates the callers of a resource, and limits their requests. */
export default fp<AccessOptions & Resource>(async function access (fastify, { config, stores, keys, revocations, audience, path }) {
  const { auth } = config
  if (auth !== null && keys === null) throw new Error('tokens cannot be checked without keys')
  const verify = auth === null || keys === null
    ? null
    : createVerifier({ ...auth, audience: audience ?? auth.audience }, keys, revocations)
  const acceptBound = verify === null ? null : createAcceptBound(verify, createProofs(stores.proofs), publicOrigin(config))
  const stepUp = config.stepUp === null ? null : createStepUpCheck(config.stepUp)
  await fastify.register(bearer, { verify, acceptBound, stepUp, metadataUrl: metadataUrl(config, path) })
  if (stores.rateLimiter !== null) await fastify.register(rateLimit, { rateLimiter: stores.rateLimiter })
}, { name: 'access', fastify: '5.x' })
