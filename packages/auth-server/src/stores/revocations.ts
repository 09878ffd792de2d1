import type { AccessToken } from '@frontdesk/schemas/access-token'

/** A grant, or one access token, that ended before its time. */
export interface Revocation {
  /** Id of a grant, with which all of its tokens end, or the `jti` of one access token. */
  readonly id: string
  readonly revokedAt: Date
  /** When the last token that it revokes has expired; what is stored has a margin. */
  readonly endsAt: Date
  /** Access tokens of the group that were issued before this time are revoked; `null`: those of the id are, whenever they were issued. */
  readonly notBefore?: Date | null
}

/** Entry of the revocation feed. */
export interface FeedEntry extends Revocation {
  /** Not null: `id` is the digest of a group, whose access tokens are revoked that were issued before this time. */
  readonly notBefore: Date | null
}

/** What was revoked. */
export interface Revocations {
  /**
   * Revokes a grant, with its codes and refresh tokens, or one access token, in one transaction and for good; what is
   * revoked already stays so, since its own time.
   */
  add (revocation: Revocation): Promise<void>
  /** Those after this one, by time and id, up to `limit`. */
  after (place: Pick<Revocation, 'revokedAt' | 'id'>, limit: number): Promise<FeedEntry[]>
  /** Whether any of these is revoked by itself. */
  has (ids: readonly string[]): Promise<boolean>
  /** Whether an access token is revoked: by itself, with its grant or with one of its groups. */
  covers (token: AccessToken): Promise<boolean>
  /** Removes up to `limit` whose last token has expired, and that no grant depends on; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
