/** A person's yes to what a client asked for. */
export interface Consent {
  readonly userId: string
  readonly clientId: string
  /** Resource that it is for. */
  readonly audience: string
  /** Not empty. */
  readonly scope: readonly string[]
  readonly allowedAt: Date
}

/** Consent to be remembered. */
export interface NewConsent extends Consent {
  /** SHA-256 of the nonce of the grant that was given with it. */
  readonly nonceHash: string
}

/** What people have allowed, so that they are not asked for it again. */
export interface Consents {
  /** Every scope that the person has allowed the client for the resource, and not taken back. */
  find (of: Pick<Consent, 'userId' | 'clientId' | 'audience'>): Promise<string[]>
  /**
   * Adds to what was allowed, in one statement, if the grant that was given with it is live; what is there stays, since its
   * own time. Of a person and a client some hundred scopes are kept; of one who has allowed as many, no more are.
   */
  add (consent: NewConsent): Promise<void>
}
