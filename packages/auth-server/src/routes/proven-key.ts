import { ProofError } from '@frontdesk/service-kit/dpop/proof'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, dpopProofError } from '../oauth/errors.js'
import type { Client } from '../oauth/client.js'
import type { Proofs } from '../tokens/proofs.js'

/**
 * The thumbprint of the key that a request's DPoP proof proves (RFC 9449 §5, §7); `undefined` without a proof.
 * @throws OAuthError `invalidDpopProof` with a description of the reason, or `dpopNonceMissing`
 */
export type ProvenKey = (reply: FastifyReply, accessToken?: string) => Promise<string | undefined>

/** Makes the check. It adds the nonce for the next proof to responses (§8.2). @param url the endpoint's */
export function createProvenKey (proofs: Proofs, url: string | ((request: FastifyRequest) => string)): ProvenKey {
  return async (reply, accessToken) => {
    const { client, method, headers: { dpop } } = reply.request
    const now = reply.server.clock.now()
    if (dpop === undefined) return undefined
    reply.header('dpop-nonce', proofs.nonce(now))
    try {
      const used = { method, url: typeof url === 'string' ? url : url(reply.request), ...(accessToken !== undefined && { accessToken }) }
      return await proofs.check(String(dpop), used, now)
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      // as: requests to resources have no client.
      const facts = { client: (client as Client | undefined)?.id }
      if (error.code === 'use_dpop_nonce') throw errors.dpopNonceMissing(error.message, facts)
      const { cause } = error
      throw dpopProofError(error.message, cause instanceof Error ? cause.message : error.message, facts)
    }
  }
}
