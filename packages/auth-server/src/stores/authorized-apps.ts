/** What a person has allowed an app, as it stands. */
export interface Access {
  readonly clientId: string
  readonly clientName: string
  /** Scopes that mean something here, of all grants and of what it gets again without asking, each once. */
  readonly scope: readonly string[]
  /** When the first of what stands was allowed. */
  readonly since: Date
  /** When the app last got a token; `null` if no grant stands. */
  readonly lastUsed: Date | null
  /** When its last token ends, or has ended, unless it gets others; `null` if no grant stands. */
  readonly endsAt: Date | null
  /** Whether it gets any of it again without asking. */
  readonly isRemembered: boolean
}

/** The grants of people, and what is remembered of their consent, by app. */
export interface AuthorizedApps {
  /**
   * The apps that have access, the app used last first: at most 100, and whether there are more. One statement, however many
   * grants there are.
   * @param accessTokenTtl lifetime of the access tokens of an app without its own, in seconds
   */
  of (userId: string, now: Date, accessTokenTtl: number): Promise<{ authorizedApps: Access[], more: boolean }>
  /**
   * Sum of the access epochs of the person of that user name, the client and the person at the client; 0 if there is no such
   * person. Read before a password is verified, it shows whether access has ended meanwhile.
   */
  epoch (username: string, clientId: string): Promise<number>
  /**
   * Ends all that the person has allowed the client, in one transaction and however much it is: its tokens are revoked, also
   * those in flight, and consent is forgotten. Says how many scopes were remembered; `null` if there is no such client.
   */
  remove (userId: string, clientId: string): Promise<{ remembered: number } | null>
}
