import { Type, type Static } from '@sinclair/typebox'
import { hash } from 'node:crypto'

/** Path of the revocation feed, below the issuer. */
export const REVOCATIONS_PATH = '/revocations'

/**
 * One entry of the revocation feed. Without `before` it revokes the access tokens whose `jti` or `grant_id` is `id`. With
 * `before` it revokes the access tokens of a group that were issued earlier (`iat` < `before`); the group is one of
 * {@link revocationGroups}. Times are seconds since 1970.
 */
export const RevocationEntry = Type.Object({
  id: Type.String({
    description: 'A `jti`, a `grant_id` or, with `before`, the digest of a group of tokens. A later entry with the same id replaces it.'
  }),
  ends: Type.Integer({ description: 'When the last of these tokens has expired.' }),
  before: Type.Optional(Type.Integer({ description: 'Tokens of the group that were issued before this time are revoked.' })),
  at: Type.Optional(Type.Integer({
    description: 'When they were revoked. Tokens issued more than a minute later stay valid, as do a group\'s tokens issued after `before`.'
  }))
})
export type RevocationEntry = Static<typeof RevocationEntry>

/** Response of the revocation feed: access revoked before its tokens expire. */
export const RevocationList = Type.Object({
  revoked: Type.Array(RevocationEntry),
  next: Type.String({ description: 'Cursor for the next request, sent as `after`. Responses always repeat the last minute.' }),
  more: Type.Boolean({ description: 'Whether the list continues.' }),
  now: Type.Optional(Type.Integer({ description: 'Time of the response, by the authorization server\'s database clock.' }))
})
export type RevocationList = Static<typeof RevocationList>

/**
 * Digest of a group of access tokens: those of a subject, of a client, or of both. The feed is public, and a digest reveals
 * nothing about the subject.
 */
export function revocationGroup ({ sub = '', clientId = '' }: { sub?: string, clientId?: string }): string {
  return hash('sha256', JSON.stringify([sub, clientId]), 'base64url')
}

/** The three groups of an access token. */
export function revocationGroups (claims: { sub: string, client_id: string }): [string, string, string] {
  const { sub, client_id: clientId } = claims
  return [revocationGroup({ sub }), revocationGroup({ clientId }), revocationGroup({ sub, clientId })]
}
