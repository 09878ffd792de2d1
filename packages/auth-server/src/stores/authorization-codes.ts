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
  /** SHA-256 of the verifier, base64url. */
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

/** The codes. Only their hashes are stored. */
export interface AuthorizationCodes {
  add (code: AuthorizationCode): Promise<void>
  /**
   * Spends a code in one statement; `null`, with nothing changed, if anything differs from what it is bound to, or it has
   * ended or is spent. Of any number of callers at once exactly one gets it.
   */
  spend (exchange: CodeExchange, now: Date): Promise<AuthorizationCode | null>
  /** A code of that client that was spent; `null` if there is none. */
  findSpent (hash: string, clientId: string): Promise<AuthorizationCode | null>
  /** Removes up to `limit` codes that ended a day ago, as long as a second use is noticed; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
