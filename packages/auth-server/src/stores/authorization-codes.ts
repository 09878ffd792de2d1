import type { Refreshed } from './refresh-tokens.js'

/** A code on its way to the client. */
export interface AuthorizationCode {
  /** SHA-256 of the code, base64url. */
  readonly hash: string
  /** The access grant that it belongs to. */
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  /** The callback that it was sent to. */
  readonly redirectUri: string
  /** Whether the request named the callback, so that the exchange has to (RFC 6749 §4.1.3). */
  readonly callbackNamed: boolean
  /** SHA-256 of the verifier, base64url; empty if the request had no challenge. */
  readonly codeChallenge: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly authTime: Date
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** What an exchange has to show. */
export interface CodeExchange extends Pick<AuthorizationCode, 'hash' | 'clientId' | 'codeChallenge'> {
  /** The callback that it names, if it does. */
  readonly redirectUri: string | undefined
  /** The resource that it names, if it does (RFC 8707 §2.2). */
  readonly audience: string | undefined
}

/** What an exchange gives. */
export interface CodeYield {
  /** The first refresh token of the grant; `null`: none. */
  readonly refreshToken: { readonly hash: string, readonly familyHash: string, readonly expiresAt: Date, readonly endsAt: Date } | null
  /** When the last token of the grant will have expired. */
  readonly grantEndsAt: Date
}

/** The codes. Only their hashes are stored. */
export interface AuthorizationCodes {
  /** Stores a code, unless its client is removed: then there is no grant for it either. */
  add (code: AuthorizationCode): Promise<void>
  /**
   * Atomic: spends a code, adds the refresh token and makes the grant last as long, in one transaction; `null`, with nothing
   * changed, if anything differs from what the code is bound to, it has expired or is spent, or its grant is not live.
   * Exactly one concurrent caller succeeds. If it fails, the code is unspent; if it fails without a known outcome, the code is
   * removed, and with it what it gave.
   */
  exchange (exchange: CodeExchange, yields: CodeYield, now: Date): Promise<Refreshed | null>
  /** The grant of a code that this client has exchanged with this verifier; `null` if there is none. */
  findSpent (exchange: Pick<CodeExchange, 'hash' | 'clientId' | 'codeChallenge'>): Promise<Pick<AuthorizationCode, 'grantId'> | null>
  /** Removes up to `limit` codes that ended a day ago, as long as a second use is noticed; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
