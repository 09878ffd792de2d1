/** What counts no more although its time has not come. */
export interface Revocation {
  /** Id of a grant, with which all of its tokens end, or the `jti` of one access token. */
  readonly id: string
  readonly revokedAt: Date
  /** When the last token that it touches has ended. */
  readonly endsAt: Date
}

/** What was revoked. */
export interface Revocations {
  /** Adds one; what is revoked already stays so, since its own time. */
  add (revocation: Revocation): Promise<void>
  /** Those after this one, by time and id, up to `limit`. */
  after (place: Pick<Revocation, 'revokedAt' | 'id'>, limit: number): Promise<Revocation[]>
  /** Whether any of these is revoked. */
  has (ids: readonly string[]): Promise<boolean>
  /** Removes up to `limit` whose last token has ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
