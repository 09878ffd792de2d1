import type { Row } from '@frontdesk/database/rows'
import { columns, pick } from '@frontdesk/database/table'
import { refreshToken } from '../../generated/tables.js'
import { notBefore, withheld } from '../access/live-grant.js'

/** A presented token: SHA-256 of the token, and of its family's common prefix. */
export interface PresentedToken {
  readonly hash: string
  readonly familyHash: string
}

/** The use of a refresh token. */
export interface RefreshTokenUse extends PresentedToken {
  readonly clientId: string
  /** Thumbprint of the DPoP key that a public client has proven; it binds the family (RFC 9449 §5). `undefined`: none. */
  readonly jkt?: string | undefined
  /** Salt and hash of its successor, unless an earlier use has set one; `null`: without rotation. */
  readonly next: { readonly salt: string, readonly hash: string } | null
  /** Idle expiry of the next token; no later than its family's end. */
  readonly expiresAt: Date
  /** Latest expiry of the access token. */
  readonly tokensEndAt: Date
  readonly now: Date
}

/** Columns of the access that a refresh token or a code carries. */
export const REFRESHED = {
  ...pick(refreshToken, 'grantId', 'userId', 'scope', 'audience', 'authTime', 'amr', 'sid'),
  /** Earliest `iat` of access tokens; `null`: any. */
  notBefore: 'datetime?',
  /** Scopes that the user cannot grant now, space-separated; `null`: none. */
  withheld: 'string?'
} as const

/** The access that a refresh token or a code carries. */
export type Refreshed = Row<typeof REFRESHED>

/** SQL of the columns of {@link REFRESHED}, and of others of the table. */
export function refreshedColumns<C extends typeof REFRESHED> (row: C, table: string, others?: Parameters<typeof columns<C>>[2]): string {
  const [user, client] = [`${table}.user_id`, `${table}.client_id`]
  return columns(row, table, { notBefore: notBefore(user, client), withheld: withheld(user), ...others })
}

/** The outcome of using a refresh token. */
export type TokenUse =
  /** `salts`: applied one after the other, they derive the next token; none: the token stays current. */
  | { readonly state: 'granted', readonly salts: readonly string[] } & Refreshed
  /** The token was replaced before: two parties have tokens of the family. */
  | { readonly state: 'reused', readonly grantId: string, readonly endsAt: Date }
  /** The token is unknown, expired, or bound to another client or key, or its grant is not live. */
  | { readonly state: 'unusable' }

/** How long uses of the same token get the same successor, in milliseconds: a web app's tabs refresh independently. */
const SHARED_MS = 10_000

/** Maximum spent tokens that a family keeps. */
const MAX_SPENT = 20

/** A used token. */
export interface SpentToken {
  readonly hash: string
  /** Derives its successor, with the token itself. */
  readonly salt: string
  /** Time of its first use or, if that response was lost, of the retry; in milliseconds. */
  readonly at: number
}

/** Columns of a {@link Family}. */
export const FAMILY = {
  ...pick(refreshToken, 'familyHash', 'hash', 'spent', 'clientId', 'dpopJkt', 'createdAt', 'expiresAt', 'endsAt'),
  /** Whether its grant is live, and its client session, too, if the family ends with that. */
  isLive: 'boolean',
  ...REFRESHED
} as const

/** All refresh tokens of one grant, each replaced by the next. */
export interface Family extends Omit<Row<typeof FAMILY>, 'spent'> {
  /** Latest first: the token that the current one replaced, and earlier ones that still share a successor. */
  readonly spent: readonly SpentToken[]
}

/** Decides the outcome of using a token. Returns it, and the changed family. */
export function useFamily (family: Family, use: RefreshTokenUse): { used: TokenUse, family: Family } {
  const place = family.spent.findIndex(({ hash }) => hash === use.hash)
  const token = family.spent[place]
  const isShared = token !== undefined && sharesSuccessor(token, use)
  if (use.clientId !== family.clientId || family.endsAt <= use.now) return { used: { state: 'unusable' }, family }
  if (use.hash !== family.hash && place !== 0 && !isShared) {
    return { used: { state: 'reused', grantId: family.grantId, endsAt: family.endsAt }, family }
  }
  const mayUse = family.isLive && family.expiresAt > use.now && (family.dpopJkt === null || family.dpopJkt === use.jkt)
  if (!mayUse || (use.next === null && use.hash !== family.hash)) return { used: { state: 'unusable' }, family }
  const bound = family.dpopJkt === null && use.jkt !== undefined ? { ...family, dpopJkt: use.jkt } : family
  if (isShared) return { used: { ...family, state: 'granted', salts: saltsFrom(place, family) }, family: bound }
  const salts = use.next === null ? [] : [use.next.salt]
  return { used: { ...family, state: 'granted', salts }, family: { ...bound, ...replace(family, use) } }
}

/**
 * The salt that derives the successor of the spent token at this index. If that successor was also used, it is too old to be
 * used later: then the salts up to the current token.
 */
function saltsFrom (place: number, { spent }: Family): string[] {
  return spent.slice(place < 2 ? place : 0, place + 1).map(({ salt }) => salt).reverse()
}

/** The fields of a family that a use changes, unless it shares an earlier use's successor. */
function replace ({ spent, endsAt }: Family, use: RefreshTokenUse) {
  const times = { createdAt: use.now, expiresAt: use.expiresAt < endsAt ? use.expiresAt : endsAt }
  if (use.next === null) return times
  const earlier = spent.filter(({ hash }) => hash !== use.hash)
  const end = earlier.findIndex(token => !sharesSuccessor(token, use))
  const latest = { hash: use.hash, salt: use.next.salt, at: use.now.getTime() }
  return { ...times, hash: use.next.hash, spent: [latest, ...earlier.slice(0, end < 0 ? MAX_SPENT - 1 : end)] }
}

/** Whether both uses are within {@link SHARED_MS}, even if the clock was set back. */
function sharesSuccessor ({ at }: SpentToken, { now }: RefreshTokenUse): boolean {
  return Math.abs(now.getTime() - at) < SHARED_MS
}
