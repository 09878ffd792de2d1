/** Silent grants of a person and client, at most: apps that sign in without asking all day leave one each time. */
export const MAX_SILENT_GRANTS = 100

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

/** A grant, and what it rests on. */
export interface NewGrant extends Grant {
  /** Sum of the access epochs of the person, the client and the person at the client, read before the person was asked. */
  readonly epoch: number
  /** Whether it is given without asking, since all of its scopes, at least one, are remembered. */
  readonly isSilent: boolean
}

/** A recorded grant. */
export interface Given {
  /** Its access tokens are issued no earlier (`iat`); `null`: at any time. */
  readonly notBefore: Date | null
}

/** The grants, and with them the spent nonces. */
export interface Grants {
  /**
   * Atomic: records a grant and spends its nonce in one statement; `null`, with nothing recorded, if the nonce is spent, the
   * access of the person or client has ended since the epoch was read, either is disabled, or consent to a silent grant is no longer remembered. Exactly
   * one concurrent caller with a nonce succeeds. Of the silent grants of a person and client the
   * {@link MAX_SILENT_GRANTS} used last are kept.
   */
  add (grant: NewGrant): Promise<Given | null>
  /** Whether the nonce is spent. */
  isSpent (nonceHash: string): Promise<boolean>
  /** Removes up to `limit` grants that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
