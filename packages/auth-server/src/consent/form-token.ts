import type { Acr } from '@frontdesk/schemas/acr'
import { TokenError } from 'fast-jwt'
import type { Proof } from '../factors/set-up-rule.js'
import { FORM_TOKEN_TTL } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { errors } from '../oauth/errors.js'
import { asksForConsent } from '../oauth/identity.js'
import { scopesToGrant } from '../oauth/scope.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { FormKeys } from './form-keys.js'

export interface Binding {
  /** The browser's transaction cookie. */
  readonly browser: string
  /** The query string of the authorization request, byte for byte. */
  readonly query: string
}

/** A user whose password was right, and who must use a factor next. No session exists before. */
export interface PassedPassword {
  readonly userId: string
  /** See `credentialState`: a changed password or revoked access ends the sign-in. */
  readonly state: string
}

/** The state of a page when it was rendered. */
export interface PageState {
  /** The signed-in user; `undefined`: none. */
  readonly userId?: string | undefined
  /** Whether this user signed in on an earlier page of the same request, so that the password is not required again. */
  readonly hasSignedIn?: boolean
  /** Who signs in, if the page follows the password; with `userId`, who has just set up a factor. */
  readonly passed?: PassedPassword | undefined
  /** The code that was mailed to this user, encrypted. */
  readonly mailed?: string | undefined
  /** The level of the factor that this user sets up during a sign-in. */
  readonly acr?: Acr | undefined
  /** What permits this user to set up a factor. */
  readonly proof?: Proof | undefined
  /** Whether the browser can add a passkey without asking, right after a sign-in. */
  readonly isUpgrade?: boolean
  /** Digest of what the page shows and can change while it is open. */
  readonly shown?: string | undefined
}

/** A verified form token. */
export interface FormToken extends Required<PageState> {
  /** Single-use: the first grant spends it. */
  readonly nonce: string
}

/** Issues the form token of a page, a CSRF token: authenticated, expiring, bound to the browser and the request. */
export function issueFormToken (
  { sign }: FormKeys,
  binding: Binding,
  now: Date,
  { userId, hasSignedIn = false, passed, mailed, acr, proof, isUpgrade = false, shown }: PageState = {}
): string {
  const iat = Math.floor(now.getTime() / 1000)
  return sign({
    jti: randomOpaqueToken(),
    bind: digest(binding),
    ...(userId === undefined ? {} : { sub: userId }),
    ...(hasSignedIn && { fresh: true }),
    ...(passed === undefined ? {} : { passed }),
    ...(mailed === undefined ? {} : { mailed }),
    ...(acr === undefined ? {} : { acr }),
    ...(proof === undefined ? {} : { proof }),
    ...(isUpgrade && { upgrade: true }),
    ...(shown === undefined ? {} : { shown }),
    iat,
    exp: iat + FORM_TOKEN_TTL
  })
}

/** Verifies a form token. @throws OAuthError `foreignForm`, `expiredForm` */
export function verifyFormToken ({ verifiers }: FormKeys, field: string, binding: Binding, now: Date): FormToken {
  try {
    const { jti, exp, bind, sub, fresh = false, passed, mailed, acr, proof, upgrade = false, shown } = verifyWithAny(verifiers, field)
    if (exp * 1_000 <= now.getTime()) throw errors.expiredForm('the consent page has expired')
    if (bind !== digest(binding)) throw errors.foreignForm('issued for another browser or request')
    return { nonce: jti, userId: sub, hasSignedIn: fresh, passed, mailed, acr, proof, isUpgrade: upgrade, shown }
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    throw errors.foreignForm(`not issued by this server: ${error.code}`)
  }
}

function verifyWithAny ([verify, ...others]: FormKeys['verifiers'], field: string): ReturnType<FormKeys['verifiers'][number]> {
  try {
    // as: there is at least one.
    return verify!(field)
  } catch (error) {
    if (others.length === 0 || !(error instanceof TokenError) || error.code !== TokenError.codes.invalidSignature) throw error
    return verifyWithAny(others, field)
  }
}

interface Shown {
  readonly client: Pick<Client, 'name' | 'links' | 'grantTypes' | 'own' | 'registeredBy'>
  readonly scope: readonly string[]
  readonly redirectUri?: string
}

/**
 * Digest of what a consent page shows of a request: the client's registration can change while the page is open. At an app of the
 * installation, users need not see what they cannot grant.
 * @param user with the scopes that they cannot grant, space-separated; `null`: the page shows the whole request
 */
export function digestShown ({ client, redirectUri, scope }: Shown, user: { readonly withheld: string | null } | null): string {
  const asks = asksForConsent(client, redirectUri)
  const granted = asks ? scopesToGrant(scope, user?.withheld ?? null) : scope
  const canRefresh = client.grantTypes.includes('refresh_token')
  return hashOpaqueToken(JSON.stringify([client.name, client.links, redirectUri, granted, canRefresh, asks]))
}

function digest ({ browser, query }: Binding): string {
  return hashOpaqueToken(`${browser} ${query}`)
}
