import { joinOr } from '@frontdesk/service-kit/join-or'
import { quote } from '@frontdesk/service-kit/showable'
import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../lifetimes.js'
import { DEVICE_CODE, USUAL_GRANTS } from '../oauth/grant-types.js'
import { namesReservedScope, reservedScopes } from '../oauth/reserved-scopes.js'
import { allowedScopeOf, whyNotAllowedScope } from '../registration/client-rules.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { RegistrationToken } from '../stores/clients/registration-tokens.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { assertValid, invalid, unknown } from './refusal.js'

/** Grant types that a token can allow. */
const GRANTS = [...USUAL_GRANTS, 'client_credentials', DEVICE_CODE, 'implicit']

/** Maximum clients and days of a token. */
export const [MAX_USES, MAX_DAYS] = [10_000, 365]

/** A token to make. */
interface NewRegistrationToken {
  /** How many clients it registers. */
  readonly uses: number
  readonly days: number
  /** Grant types that the clients can use. Default: {@link USUAL_GRANTS}. */
  readonly grantTypes?: readonly string[] | undefined
  /** Space-separated scopes that the clients can request; `*`: any. */
  readonly allowedScope?: string | undefined
}

/** A token for display. `allowedScope` is `*` for any. */
export type ShownToken = RegistrationToken & { readonly allowedScope: string }

/** Makes an initial access token (RFC 7591 §3). Only its hash is stored. @throws Refusal */
export async function addRegistrationToken (
  stores: Recording, given: NewRegistrationToken, by: Actor
): Promise<ShownToken & { readonly token: string }> {
  const { uses, days, grantTypes: grants = USUAL_GRANTS, allowedScope } = checkToken(given)
  const createdAt = stores.clock.now()
  const expiresAt = new Date(createdAt.getTime() + days * DAY_MS)
  const token = randomOpaqueToken()
  const grantTypes = [...new Set(grants)]
  const id = randomBytes(4).toString('hex')
  const row = { id, usesLeft: uses, grantTypes, allowedScope: allowedScopeOf(allowedScope), createdAt, expiresAt }
  await recorded(stores, 'registration token', { details: { id: row.id, uses, grantTypes, allowedScope } }, by)
    .registrationTokens.add({ ...row, hash: hashOpaqueToken(token) })
  return { ...row, allowedScope, token }
}

/** A page of tokens, with the cursor of the next one; `null`: it is the last. */
interface TokenPage { readonly tokens: readonly ShownToken[], readonly next: string | null }

/** The tokens that have not expired and been removed, newest first. @param page default: all @throws Refusal for another cursor */
export async function listRegistrationTokens (
  { registrationTokens }: Pick<Stores, 'registrationTokens'>, { after, limit }: { after?: string | undefined, limit?: number } = {}
): Promise<TokenPage> {
  const found = await registrationTokens.list(after === undefined ? undefined : readCursor(after), limit && limit + 1)
  const tokens = found.slice(0, limit).map(({ allowedScope, ...token }) => ({ ...token, allowedScope: allowedScope ?? '*' }))
  const last = tokens.at(-1)
  return { tokens, next: last === undefined || tokens.length === found.length ? null : `${last.createdAt.getTime()}-${last.id}` }
}

/** @throws Refusal */
function readCursor (cursor: string): Pick<RegistrationToken, 'createdAt' | 'id'> {
  // Up to the year 2286: databases refuse years of five digits.
  const [, time, id] = /^(\d{1,13})-([0-9a-f]{1,64})$/.exec(cursor) ?? []
  if (id === undefined) throw invalid('after', 'after must be the value of next in the previous page.')
  return { createdAt: new Date(Number(time)), id }
}

/** Removes a token. Clients that registered with it stay. @throws Refusal */
export async function removeRegistrationToken (stores: Recording, id: string, by: Actor): Promise<{ readonly id: string }> {
  const { registrationTokens } = recorded(stores, 'registration remove', { details: { id } }, by)
  if (!await registrationTokens.remove(id)) throw unknown('registration token', `There is no token ${quote(id)}.`)
  return { id }
}

/** Checks a token before it is made. @throws Refusal */
export function checkToken (
  { allowedScope = '*', ...given }: NewRegistrationToken
): NewRegistrationToken & { readonly allowedScope: string } {
  assertValid({
    grantTypes: [given.grantTypes?.every(it => GRANTS.includes(it)) ?? true ? null : `A grant must be ${joinOr(GRANTS)}.`],
    allowedScope: [
      whyNotAllowedScope(allowedScopeOf(allowedScope), ''),
      namesReservedScope(allowedScope) ? `Clients that register with a token cannot have ${joinOr(reservedScopes)}.` : null
    ]
  })
  return { ...given, allowedScope }
}
