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

/** What people have allowed, so that they are not asked for it again. */
export interface Consents {
  /** Every scope that the person has allowed the client for the resource. */
  find (of: Pick<Consent, 'userId' | 'clientId' | 'audience'>): Promise<string[]>
  /**
   * Adds to what was allowed, in one statement; what is there stays, since its own time. Of a person and a client some
   * hundred scopes are kept; of one who has allowed as many, no more are.
   */
  add (consent: Consent): Promise<void>
  /** Forgets all that the person has allowed the client, if the grant that was given with it is revoked. @param nonceHash that of the grant */
  forgetRevoked (of: Pick<Consent, 'userId' | 'clientId'>, nonceHash: string): Promise<void>
}
