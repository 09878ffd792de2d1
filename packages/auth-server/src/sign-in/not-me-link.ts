import { createSealedJwts } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { after, NOT_ME_LINK_TTL, numericDate } from '../lifetimes.js'
import type { Announcement } from '../mail/notices.js'
import { hashOpaqueToken, randomOpaqueToken } from './opaque-token.js'

/** An opened link. */
interface OpenedLink extends Announcement {
  /** When its email was written. */
  readonly at: Date
  /** Identifies the link, which works once. */
  readonly idHash: string
  /** Until when its use must be stored. */
  readonly keptUntil: Date
}

/** Links in emails about changes of an account, for users who did not make them. Nothing is stored until a link is used. */
export interface NotMeLinks {
  /** Issues a link: the address of its page. */
  issue (about: Announcement, now: Date): Promise<string>
  /** Opens the secret part of a link; `null` if it has expired or was not made here. Whether it was used is not checked. */
  open (link: string, now: Date): Promise<OpenedLink | null>
}

/** Makes {@link NotMeLinks}. The previous secret stays valid during a rotation. */
export function createNotMeLinks (config: Secrets & { readonly issuer: string }): NotMeLinks {
  const jwts = createSealedJwts<{ id: string, at: number } & Announcement>(config, 'not me links')
  return {
    async issue (about, now) {
      return `${config.issuer}/not-me?link=${await jwts.seal({ id: randomOpaqueToken(), at: numericDate(now), ...about }, now)}`
    },
    async open (link, now) {
      const claims = await jwts.open(link, NOT_ME_LINK_TTL, now)
      if (claims === null) return null
      const { id, at, ...about } = claims
      const written = new Date(at * 1_000)
      // Stored for longer than it works: clocks of replicas differ.
      return { ...about, at: written, idHash: hashOpaqueToken(`not me ${id}`), keptUntil: after(written, 2 * NOT_ME_LINK_TTL) }
    }
  }
}
