import { badParameter, oauthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { readCodeVerifier } from '../oauth/pkce.js'
import { parseScope } from '../oauth/scope.js'
import { hashOpaque, randomOpaque } from '../sign-in/opaque.js'
import type { AuthorizationCode, CodeExchange } from '../stores/authorization-codes.js'
import type { Grant, GrantParts, TokenRequest } from './grant.js'

/** Exchanges a code for tokens, once (RFC 6749 §4.1.3, RFC 7636 §4.5). A second use ends what the first gave. */
export const authorizationCode: Grant = {
  name: 'authorization_code',
  async issue (parts, { client, form, now }) {
    const { stores, tokens } = parts
    const code = single(form, 'code')
    if (code === undefined) throw badParameter('code', 'is missing')
    const exchange = { hash: hashOpaque(code), clientId: client.id, codeChallenge: readCodeVerifier(form), redirectUri: single(form, 'redirect_uri'), audience: single(form, 'resource') }
    const spent = await stores.codes.spend(exchange, now) ?? await refuse(parts, exchange, { client, form, now })
    const { userId: subject, audience, scope, authTime, grantId } = spent
    if (!await stores.users.isEnabled(subject)) throw oauthError('invalidGrant', 'the person is disabled', { client: client.id })
    const answer = tokens.issue({ client, subject, audience, authTime, grantId, scope: parseScope(scope), grantType: 'authorization_code' }, now)
    if (client.grantTypes.includes('refresh_token')) return { answer: { ...answer, refresh_token: await beginFamily(parts, spent, { client, form, now }) }, userId: subject }
    await stores.grants.extend(grantId, tokens.end(client, now))
    return { answer, userId: subject }
  }
}

/** The first refresh token of a grant. */
async function beginFamily ({ stores, tokens }: GrantParts, { grantId, clientId, userId, scope, audience, authTime }: AuthorizationCode, { client, now }: TokenRequest): Promise<string> {
  const token = randomOpaque()
  const endsAt = tokens.familyEnd(now)
  await stores.refreshTokens.add({ hash: hashOpaque(token), grantId, clientId, userId, scope, audience, authTime, createdAt: now, expiresAt: tokens.idleEnd(now), endsAt })
  await stores.grants.extend(grantId, tokens.end(client, endsAt))
  return token
}

async function refuse ({ stores, tokens }: GrantParts, { hash, clientId }: CodeExchange, { client, now }: TokenRequest): Promise<never> {
  const spent = await stores.codes.findSpent(hash, clientId)
  const facts = { client: clientId }
  if (spent === null) throw oauthError('invalidGrant', 'the code is unknown or ended, or belongs to another client, callback, verifier or resource', facts)
  await stores.revocations.add({ id: spent.grantId, revokedAt: now, endsAt: tokens.end(client, tokens.familyEnd(now)) })
  throw oauthError('invalidGrant', 'the code was used a second time: its grant is revoked', { ...facts, grant: spent.grantId })
}
