import type { AccessToken } from '@frontdesk/schemas/access-token'
import { headerValues } from '@frontdesk/service-kit/header'
import { pathOf } from '@frontdesk/service-kit/path'
import type { FastifyReply } from 'fastify'
import { proofInvalid, tokenInvalid } from '../../problems/access.js'
import type { Proofs } from '../../tokens/proofs.js'
import type { Verify } from '../../tokens/verify.js'

/** Verifies a key-bound access token and the DPoP proof of its request. @throws ProblemError */
export type AcceptBound = (reply: FastifyReply, token: string) => Promise<AccessToken>

/** Creates the check of key-bound tokens (RFC 9449 §7.1). @param origin of this service's public address; `undefined` if unknown */
export function createAcceptBound (verify: Verify, proofs: Proofs, origin: string | undefined): AcceptBound {
  return async (reply, token) => {
    const { method, originalUrl, raw: { rawHeaders } } = reply.request
    const claims = await verify(token)
    const { cnf } = claims
    if (cnf === undefined) throw tokenInvalid('The access token is not bound to a key. Send it with the scheme Bearer.')
    reply.header('DPoP-Nonce', await proofs.nonce())
    if (origin === undefined) {
      throw proofInvalid('This service\'s public address is not set.', {
        reason: 'SERVICE_ROOT is not set, and AUDIENCE is not an address'
      })
    }
    const request = { method, url: origin + pathOf(originalUrl), accessToken: token }
    if (await proofs.check(headerValues(rawHeaders, 'dpop'), request) !== cnf.jkt) {
      throw proofInvalid('The access token is bound to a different key than the proof\'s.', { reason: 'another key' })
    }
    return claims
  }
}
