/** What a resource owner allowed a client. */
export interface Grant {
  /** The access token's `jti`, or the `grant_id` of all access tokens that come from it. */
  readonly id: string
  /** SHA-256 of the consent page's nonce, base64url. */
  readonly nonceHash: string
  readonly clientId: string
  readonly userId: string
  readonly responseType: string
  /** Space-separated. */
  readonly scope: string
  readonly audience: string
  readonly createdAt: Date
  /** When its last token, its code and the consent page have ended, and the row is no longer needed. */
  readonly expiresAt: Date
}

/** The grants, and with them the spent nonces. */
export interface Grants {
  /**
   * Records a grant and spends its nonce in one statement; `false`, with nothing recorded, if the nonce is
   * spent. Of any number of callers at once exactly one gets `true`.
   */
  add (grant: Grant): Promise<boolean>
  /** Makes a grant last longer: it has got tokens. */
  extend (id: string, expiresAt: Date): Promise<void>
  /** Removes up to `limit` grants that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
