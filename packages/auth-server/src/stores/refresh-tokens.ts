/** The current refresh token of a family. */
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
  readonly createdAt: Date
  /** Idle expiry. */
  readonly expiresAt: Date
  /** When its family ends, however often it is used. */
  readonly endsAt: Date
}

/** A token as it is presented: SHA-256 of it and of what all tokens of its family begin with. */
export interface PresentedToken {
  readonly hash: string
  readonly familyHash: string
}

/** The use of a refresh token. */
export interface RefreshTokenUse extends Pick<PresentedToken, 'hash'> {
  readonly clientId: string
  /** Hash of the token that replaces it. */
  readonly next: string
  /** When the next one expires if it is not used; no later than its family. */
  readonly expiresAt: Date
  readonly now: Date
}

/** What a refresh token gives access to. */
export interface Refreshed {
  readonly grantId: string
  readonly userId: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly authTime: Date
  /** Access tokens are issued no earlier (`iat`); `null`: at any time. */
  readonly notBefore: Date | null
}

/** The refresh tokens: of each family the current one, and the one before. Only hashes are stored. */
export interface RefreshTokens {
  /**
   * Atomic: replaces the current token of a family, if the current one is presented, or the one before, whose answer was
   * lost: its successor was never used. `null`, with nothing changed, for any other token, of another client, expired, or of
   * a grant that is not live. After any number of concurrent uses exactly one token is current.
   * @param check throws to undo it
   */
  rotate (use: RefreshTokenUse, check: (granted: Refreshed) => void): Promise<Refreshed | null>
  /** The family of a token that is neither its current one nor the one before; `null` if it is one of these, or unknown. */
  findReused (token: PresentedToken, clientId: string, now: Date): Promise<Pick<RefreshToken, 'grantId' | 'endsAt'> | null>
  /** The current token of a family, if it is the one presented, and neither it nor its grant has ended. */
  find (hash: string, now: Date): Promise<RefreshToken | null>
  /** A token of the family of the one presented, current or not; `null` if it is unknown or its family has ended. */
  findFamily (token: PresentedToken, now: Date): Promise<RefreshToken | null>
  /** Removes up to `limit` tokens that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
