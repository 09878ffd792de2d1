import { createSealedJwts } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { numericDate, UPSTREAM_TTL } from '../lifetimes.js'
import { hashOpaqueToken, randomOpaqueToken } from './opaque-token.js'

/** What a sign-in with the upstream provider is for. */
export interface Purpose {
  /** Where the browser returns: a page of this server, with the query of an authorization request byte for byte. */
  readonly page: string
  /** Maximum age of the user's sign-in there when this one began, in seconds. 0: they must sign in again. */
  readonly maxAge: number
  /** Whether the provider must say when the user signed in. */
  readonly isStrict: boolean
  /** The client of the request; `undefined`: the account page's. */
  readonly clientId?: string | undefined
  /** The signed-in user whose account is connected, and their credential state; `undefined`: the browser signs in. */
  readonly connects?: { readonly userId: string, readonly state: string } | undefined
}

/** A sign-in with the upstream provider that is under way. */
export interface RoundTrip extends Purpose {
  /** The earliest time of the user's sign-in there, in seconds since 1970. */
  readonly since: number
  /** Identifies it in the used-once ledger. */
  readonly idHash: string
  readonly nonce: string
  /** The code verifier (RFC 7636 §4.1). */
  readonly verifier: string
}

/** Longer values would not fit into the addresses that providers accept. */
const MAX_STATE = 3_000

/** Sign-ins that are under way. Nothing is stored: `state` contains one, encrypted, for the browser in which it began. */
export interface RoundTrips {
  /** Begins one. Returns it with its `state`; `null` if the page's address is too long. @param browser its transaction cookie */
  begin (purpose: Purpose, browser: string, now: Date): Promise<RoundTrip & { readonly state: string } | null>
  /** Opens a `state`; `null` if it has expired, is another browser's, or was not made here. Whether it was used is not checked. */
  open (state: string, browser: string, now: Date): Promise<RoundTrip | null>
}

/** Makes {@link RoundTrips}. The previous secret stays valid during a rotation. */
export function createRoundTrips (secrets: Secrets): RoundTrips {
  const jwts = createSealedJwts<{ browser: string } & Readonly<RoundTrip>>(secrets, 'upstream sign-ins')
  return {
    async begin (purpose, browser, now) {
      const [id, nonce, verifier] = [randomOpaqueToken(), randomOpaqueToken(), randomOpaqueToken()]
      const trip = { ...purpose, since: numericDate(now) - purpose.maxAge, idHash: hashOpaqueToken(id), nonce, verifier }
      const state = await jwts.seal({ ...trip, browser: hashOpaqueToken(browser) }, now)
      return state.length > MAX_STATE ? null : { ...trip, state }
    },
    async open (state, browser, now) {
      const claims = await jwts.open(state, UPSTREAM_TTL, now)
      if (claims?.browser !== hashOpaqueToken(browser)) return null
      const { browser: _, ...trip } = claims
      return trip
    }
  }
}
