/** A refresh token; spent once another has come in its place. */
export interface RefreshToken {
  /** SHA-256 of the token, base64url. */
  readonly hash: string
  /** The access grant that it belongs to: its family. */
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly authTime: Date
  readonly createdAt: Date
  /** When it ends if it is not used. */
  readonly expiresAt: Date
  /** When its family ends, however often it is used. */
  readonly endsAt: Date
}

/** The use of a refresh token. */
export interface RefreshTokenUse extends Pick<RefreshToken, 'hash' | 'clientId'> {
  /** Hash of the token that comes in its place. */
  readonly next: string
  /** When the next one ends if it is not used; no later than its family. */
  readonly expiresAt: Date
  readonly now: Date
}

/** What came in the place of a spent token. */
export interface Successor extends Pick<RefreshToken, 'grantId' | 'createdAt' | 'endsAt'> {
  readonly isSpent: boolean
}

/** The refresh tokens. Only their hashes are stored. */
export interface RefreshTokens {
  /** Begins a family. */
  add (token: RefreshToken): Promise<void>
  /**
   * Spends a token and puts the next in its place, in one statement; `null`, with nothing changed, if it is of another
   * client, has ended, is spent or revoked, or its person is disabled. Of any number of callers at once exactly one gets it.
   */
  rotate (use: RefreshTokenUse): Promise<RefreshToken | null>
  /**
   * For a token whose successor was lost on the way: spends that successor, made from `from` until `until`, in the same way.
   * `null` if it was not lost, since it is spent.
   */
  replace (use: RefreshTokenUse, from: Date, until: Date): Promise<RefreshToken | null>
  /** What came in the place of a token of that client; `null` if nothing did. */
  successor (hash: string, clientId: string): Promise<Successor | null>
  /** A token that has not ended, is not spent and not revoked; `null` if there is none. */
  find (hash: string, now: Date): Promise<RefreshToken | null>
  /** A token of a family that goes on, spent or not; `null` if it is unknown or its family ended or is revoked. */
  findFamily (hash: string, now: Date): Promise<RefreshToken | null>
  /** Removes up to `limit` tokens that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
