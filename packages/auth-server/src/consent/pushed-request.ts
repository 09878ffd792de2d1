import { randomBytes, randomInt } from 'node:crypto'
import { createSealedJwts, MAX_AHEAD_S } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { after, FORM_TOKEN_TTL } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { errors } from '../oauth/errors.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { SpentIds } from '../stores/operation/spent-ids.js'
import type { StoredRequests } from '../stores/grants/pushed-requests.js'

/** Prefix of every reference (RFC 9126 §2.2). */
export const REFERENCE_PREFIX = 'urn:ietf:params:oauth:request_uri:'

/** Longer references are stored instead, if possible; in characters. Clients push requests because proxies limit URLs. */
const MAX_SHORT_REFERENCE = 2_000

/** Maximum length of a reference, in characters: with the rest of the URL, what `/authorize` and `/consent` accept. */
const MAX_REFERENCE = 7_000

/** Maximum length of a request, in characters. */
const MAX_REQUEST = 15_000

/** Maximum random bytes that hide how well a request was compressed. */
const MAX_PADDING = 48

/** A request that a client has pushed (RFC 9126). */
export interface PushedRequest {
  /** Single-use: the first decision spends it. */
  readonly id: string
  readonly clientId: string
  /** Its parameters, as a query string. */
  readonly query: string
  readonly isStored: boolean
}

type Pusher = Pick<Client, 'id' | 'tokenEndpointAuthMethod' | 'registeredBy'>

/**
 * References to pushed requests. The `request_uri` is the encrypted request, so that nothing is stored. If that is too long for a
 * URL, and the client authenticates, the encrypted request is stored instead.
 */
export interface PushedRequests {
  /** Makes a reference; `null` if the client has too many stored requests. @throws OAuthError `pushedRequestTooLong` */
  seal (client: Pusher, query: string, now: Date): Promise<string | null>
  /**
   * Reads a reference that is at most `maxAge` seconds old; `null` if it is older, or was not made here.
   * @throws OAuthError `spentForm` if it was stored, and is spent
   */
  open (reference: string, maxAge: number, now: Date): Promise<PushedRequest | null>
  /** Atomic: spends a request, for as long as its pages can be used. Returns `true` to exactly one concurrent caller. */
  spend (request: Pick<PushedRequest, 'id' | 'isStored'>, now: Date): Promise<boolean>
}

interface RequestStores { pushedRequests: StoredRequests, spentIds: Pick<SpentIds, 'add' | 'has'> }

/** Makes {@link PushedRequests}. The previous secret stays valid during a rotation. */
export function createPushedRequests (
  secrets: Secrets,
  { pushedRequests: stored, spentIds: spent }: RequestStores
): PushedRequests {
  const jwts = createSealedJwts<{ jti: string, client_id: string, query: string, pad: string }>(secrets, 'pushed requests')
  const ledgerId = (id: string) => hashOpaqueToken(`pushed ${id}`)
  return {
    async seal (client, query, now) {
      if (query.length > MAX_REQUEST) throw errors.pushedRequestTooLong(`${query.length} characters`, { client: client.id })
      const token = randomOpaqueToken()
      const id = hashOpaqueToken(token)
      const sealed = await jwts.seal({ jti: id, client_id: client.id, query, pad: randomPadding() }, now)
      const reference = REFERENCE_PREFIX + sealed
      if (reference.length <= MAX_SHORT_REFERENCE) return reference
      if (isStorable(client)) return await stored.add({ hash: id, clientId: client.id, sealed }) ? REFERENCE_PREFIX + token : null
      if (reference.length <= MAX_REFERENCE) return reference
      throw errors.pushedRequestTooLong(`a reference of ${reference.length} characters`, { client: client.id })
    },
    async open (reference, maxAge, now) {
      const token = reference.slice(REFERENCE_PREFIX.length)
      const isStored = !token.includes('.')
      const hash = hashOpaqueToken(token)
      const sealed = isStored ? await stored.find(hash) : token
      if (sealed === null && await spent.has(ledgerId(hash))) throw errors.spentForm('the pushed request is spent')
      const claims = sealed === null ? null : await jwts.open(sealed, maxAge, now)
      return claims && { id: claims.jti, clientId: claims.client_id, query: claims.query, isStored }
    },
    async spend ({ id, isStored }, now) {
      const isFirst = await spent.add(ledgerId(id), after(now, FORM_TOKEN_TTL + MAX_AHEAD_S))
      if (isFirst && isStored) await stored.remove(id)
      return isFirst
    }
  }
}

/** Whether a client's requests can be stored: it authenticates, and only an operator can permit more such clients. */
function isStorable ({ tokenEndpointAuthMethod, registeredBy }: Pusher): boolean {
  return tokenEndpointAuthMethod !== 'none' && (registeredBy === 'operator' || registeredBy === 'token')
}

/**
 * The length of compressed text reveals whether its parts resemble each other (CRIME). A user's own values (`login_hint`,
 * `id_token_hint`) can stand next to text that an attacker chose (`state`): random padding hides differences of some characters. More
 * valuable values (`state`, `nonce`, the challenge) are random in each request, which contains no secret of the server.
 */
function randomPadding (): string {
  return randomBytes(randomInt(MAX_PADDING + 1)).toString('base64url')
}
