import type { Clock } from '@frontdesk/database/clock'
import type { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import * as openid from 'openid-client'
import { numericDate } from '../lifetimes.js'
import { errors } from '../oauth/errors.js'
import type { Upstream } from '../settings/upstream.js'
import { hashOpaqueToken } from './opaque-token.js'
import { upstreamFailure } from './upstream-failure.js'
import { createConfigure } from './upstream-metadata.js'
import type { RoundTrip } from './upstream-round-trip.js'

/** A user of the upstream provider, whose ID token was verified. */
export interface UpstreamUser {
  readonly issuer: string
  /** SHA-256 of the issuer and the `sub`, base64url. */
  readonly idHash: string
  /** When they signed in there; `undefined`: the provider does not say. */
  readonly authTime: Date | undefined
  /** The claims of the ID token or, if it has no email address, of UserInfo: of any type. @throws OAuthError */
  readonly claims: () => Promise<Readonly<Record<string, unknown>>>
}

/** A sign-in under way, with its `state`. */
export type StartedTrip = RoundTrip & { readonly state: string }

/** The upstream OpenID Provider (OpenID Connect Core §3.1: code flow with PKCE). Nothing is fetched before the first sign-in. */
export interface UpstreamProvider {
  /** Address that requests a sign-in. @param language of the page @throws OAuthError `upstreamUnavailable` */
  authorizationUrl (trip: StartedTrip, language: string): Promise<string>
  /**
   * Exchanges the code of a response, and verifies the ID token (§3.1.3.7) and `iss` (RFC 9207).
   * @param query of the callback
   * @throws OAuthError `upstreamDenied`, `upstreamUnavailable`, `upstreamRefused`
   */
  signIn (query: string, trip: StartedTrip): Promise<UpstreamUser>
}

interface Options {
  readonly upstream: Upstream
  readonly callback: string
  readonly outgoing: Pick<Outgoing, 'send'>
  readonly clock: Pick<Clock, 'now'>
}

/** How far the provider's clock can differ, in seconds. */
const CLOCK_TOLERANCE_S = 60

export function createUpstreamProvider ({ upstream, callback, outgoing, clock }: Options): UpstreamProvider {
  const configure = createConfigure({ library: openid, ...upstream, outgoing })
  let keys: openid.ExportedJWKSCache | undefined

  /** @throws OAuthError */
  async function configuration (): Promise<openid.Configuration> {
    const config = await configure(clock.now()).catch((error: unknown) => {
      throw errors.upstreamUnavailable(upstreamFailure(openid, error).message)
    })
    if (keys !== undefined) openid.setJwksCache(config, keys)
    return config
  }

  return {
    async authorizationUrl ({ state, nonce, verifier, maxAge, connects }, language) {
      const config = await configuration()
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: upstream.domains.length > 0 ? 'openid email profile' : 'openid',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: String(maxAge),
        ui_locales: language,
        ...maxAge === 0 && { prompt: 'login' },
        // Someone else can be signed in there.
        ...connects !== undefined && { prompt: 'select_account' }
      }).href
    },
    async signIn (query, { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier, ...trip }) {
      const config = await configuration()
      const explained = async <T>(asked: Promise<T>) => await asked.catch((error: unknown) => { throw upstreamFailure(openid, error) })
      const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true }
      const tokens = await explained(openid.authorizationCodeGrant(config, new URL(`${callback}?${query}`), checks))
      keys = openid.getJwksCache(config) ?? keys
      const claims = tokens.claims()
      if (claims === undefined || !/^.{1,255}$/s.test(claims.sub)) throw errors.upstreamRefused('the sub is empty or too long')
      const { iss: issuer, sub, auth_time: authTime } = claims
      assertRecent(authTime, trip, numericDate(clock.now()))
      return {
        issuer,
        idHash: hashOpaqueToken(JSON.stringify([issuer, sub])),
        authTime: authTime === undefined ? undefined : new Date(authTime * 1_000),
        async claims () {
          if (claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims
          return await explained(openid.fetchUserInfo(config, tokens.access_token, sub))
        }
      }
    }
  }
}

/** @throws OAuthError `upstreamRefused` */
function assertRecent (authTime: number | undefined, { since, isStrict }: Pick<RoundTrip, 'since' | 'isStrict'>, now: number): void {
  const isRecent = authTime === undefined ? !isStrict : authTime >= since - CLOCK_TOLERANCE_S && authTime <= now + CLOCK_TOLERANCE_S
  if (!isRecent) throw errors.upstreamRefused('auth_time is missing, too old or in the future')
}
