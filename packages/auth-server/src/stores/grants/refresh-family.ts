import type { Row } from '@frontdesk/database/rows'
import { columns, pick } from '@frontdesk/database/table'
import { refreshToken } from '../../generated/tables.js'
import { notBefore, withheld } from '../access/live-grant.js'

/** A token as a client presents it: SHA-256 of the token, and of the prefix that its family shares. */
export interface PresentedToken {
  readonly hash: string
  readonly familyHash: string
}

/** The use of a refresh token. */
export interface RefreshTokenUse extends PresentedToken {
  readonly clientId: string
  /** Thumbprint of the key that a public client has proven, which binds the family from now on (RFC 9449 §5); `undefined`: none. */
  readonly jkt?: string | undefined
  /** The salt of its successor and the hash of that, if no use before has one; `null`: it stays the current one. */
  readonly next: { readonly salt: string, readonly hash: string } | null
  /** Idle expiry of the next token; no later than its family. */
  readonly expiresAt: Date
  /** When the access token that it gives expires, at the latest. */
  readonly tokensEndAt: Date
  readonly now: Date
}

/** The columns of the access that a refresh token, or the code before it, carries. */
export const REFRESHED = {
  ...pick(refreshToken, 'grantId', 'userId', 'scope', 'audience', 'authTime', 'sid'),
  /** Earliest `iat` of access tokens; `null`: any. */
  notBefore: 'datetime?',
  /** Scopes that the user cannot grant now, space-separated; `null`: none. */
  withheld: 'string?'
} as const

/** The access that a refresh token carries. */
export type Refreshed = Row<typeof REFRESHED>

/** SQL of the columns of {@link REFRESHED}, and of others of the table. */
export function refreshedColumns<C extends typeof REFRESHED> (row: C, table: string, others?: Parameters<typeof columns<C>>[2]): string {
  const [user, client] = [`${table}.user_id`, `${table}.client_id`]
  return columns(row, table, { notBefore: notBefore(user, client), withheld: withheld(user), ...others })
}

/** What the use of a refresh token comes to. */
export type Used =
  /** `salts`: what makes the next token of it, one after the other; none: it stays the current one. */
  | { readonly state: 'granted', readonly salts: readonly string[] } & Refreshed
  /** It was replaced before: two parties have tokens of the family. */
  | { readonly state: 'reused', readonly grantId: string, readonly endsAt: Date }
  /** It is unknown or expired, of another client or key, or its grant is not live. */
  | { readonly state: 'unusable' }

/** How long uses of the same token get the same successor, in milliseconds: the tabs of an app do not know of each other. */
const SHARED_MS = 10_000

/** Most spent tokens that a family keeps. */
const MAX_SPENT = 20

/** A token that was used. */
export interface SpentToken {
  readonly hash: string
  /** What its successor is made of, with the token itself. */
  readonly salt: string
  /** When it was first used or, if that response was lost, used again; in milliseconds. */
  readonly at: number
}

/** The columns of a {@link Family}. */
export const FAMILY = {
  ...pick(refreshToken, 'familyHash', 'hash', 'spent', 'clientId', 'dpopJkt', 'createdAt', 'expiresAt', 'endsAt'),
  /** Whether its grant is live, and the session at the app if the family ends with that. */
  isLive: 'boolean',
  ...REFRESHED
} as const

/** A family of refresh tokens, as the database has it. */
export interface Family extends Omit<Row<typeof FAMILY>, 'spent'> {
  /** Latest first: the one that the current token replaced, and those that still have the same successor. */
  readonly spent: readonly SpentToken[]
}

/** What the use of a token comes to, and the family after it. */
export function useFamily (family: Family, use: RefreshTokenUse): { used: Used, family: Family } {
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
  return { used: { ...family, state: 'granted', salts: use.next === null ? [] : [use.next.salt] }, family: { ...bound, ...replace(family, use) } }
}

/**
 * Of a token at a place among the spent ones, the salt of its successor. If the successor of that was used, too, it could not be
 * used later: then the salts up to the current token.
 */
function saltsFrom (place: number, { spent }: Family): string[] {
  return spent.slice(place < 2 ? place : 0, place + 1).map(({ salt }) => salt).reverse()
}

/** What a use changes in a family, unless it shares the successor of an earlier one. */
function replace ({ spent, endsAt }: Family, use: RefreshTokenUse) {
  const times = { createdAt: use.now, expiresAt: use.expiresAt < endsAt ? use.expiresAt : endsAt }
  if (use.next === null) return times
  const earlier = spent.filter(({ hash }) => hash !== use.hash)
  const end = earlier.findIndex(token => !sharesSuccessor(token, use))
  const latest = { hash: use.hash, salt: use.next.salt, at: use.now.getTime() }
  return { ...times, hash: use.next.hash, spent: [latest, ...earlier.slice(0, end < 0 ? MAX_SPENT - 1 : end)] }
}

/** Not after ten seconds, nor if the clock was set back by more. */
function sharesSuccessor ({ at }: SpentToken, { now }: RefreshTokenUse): boolean {
  return Math.abs(now.getTime() - at) < SHARED_MS
}
