import { badParameter, oauthError } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'
import { requireResource } from '../oauth/resource.js'
import { narrowScope } from '../oauth/scope.js'
import { hashOpaque, randomOpaque } from '../sign-in/opaque.js'
import type { RefreshTokenUse } from '../stores/refresh-tokens.js'
import type { Stores } from '../stores/stores.js'
import type { Grant, GrantParts, TokenRequest } from './grant.js'

/**
 * When a spent token may be used once more since the answer was lost, in milliseconds after the use that was answered.
 * Not at once: two uses at the same time are no lost answer, and one of them is refused.
 */
const GRACE = { from: 1_000, until: 10_000 }

/** Exchanges a refresh token for the next one, once (RFC 6749 §6, RFC 9700 §4.14.2). Another use ends its whole family. */
export const refreshToken: Grant = {
  name: 'refresh_token',
  async issue (parts, request) {
    const { stores, tokens } = parts
    const { client, form, now } = request
    const token = single(form, 'refresh_token')
    if (token === undefined) throw badParameter('refresh_token', 'is missing')
    const hash = hashOpaque(token)
    await requireGranted(stores, hash, form, now)
    const next = randomOpaque()
    const use = { hash, clientId: client.id, next: hashOpaque(next), expiresAt: tokens.idleEnd(now), now }
    const { userId: subject, audience, scope, authTime, grantId } = await stores.refreshTokens.rotate(use) ?? await replaceLost(stores, use) ?? await refuse(parts, request, hash)
    const answer = tokens.issue({ client, subject, audience, authTime, grantId, scope: narrowScope(form, scope), grantType: 'refresh_token' }, now)
    return { answer: { ...answer, refresh_token: next }, userId: subject }
  }
}

/** Before the token is spent: a request for more than was granted does not cost it. */
async function requireGranted ({ refreshTokens }: Stores, hash: string, form: Parameters, now: Date): Promise<void> {
  if (single(form, 'scope') === undefined && single(form, 'resource') === undefined) return
  const found = await refreshTokens.find(hash, now)
  if (found === null) return
  narrowScope(form, found.scope)
  requireResource(form, found.audience)
}

async function replaceLost ({ refreshTokens }: Stores, use: RefreshTokenUse) {
  const ago = (milliseconds: number) => new Date(use.now.getTime() - milliseconds)
  return await refreshTokens.replace(use, ago(GRACE.until), ago(GRACE.from))
}

/** Says why a token is refused; one that is spent is in two hands, of which nobody knows which is the right one. */
async function refuse ({ stores, tokens }: GrantParts, { client, now }: TokenRequest, hash: string): Promise<never> {
  const successor = await stores.refreshTokens.successor(hash, client.id)
  if (successor === null) throw oauthError('invalidGrant', 'the refresh token is unknown, ended or revoked, or of another client, or its person is disabled', { client: client.id })
  const facts = { client: client.id, grant: successor.grantId }
  const isAtOnce = !successor.isSpent && now.getTime() - successor.createdAt.getTime() < GRACE.from
  if (isAtOnce) throw oauthError('invalidGrant', 'the refresh token was used twice at once', facts)
  await stores.revocations.add({ id: successor.grantId, revokedAt: now, endsAt: tokens.end(client, successor.endsAt) })
  throw oauthError('invalidGrant', 'the refresh token was used a second time: its family is revoked', facts)
}
