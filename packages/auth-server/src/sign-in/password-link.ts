import { createSealedJwts } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { PASSWORD_LINK_TTL } from '../lifetimes.js'
import type { UserProfile, Profiles } from '../stores/users/profiles.js'
import type { HandedLink, User, Users } from '../stores/users/users.js'
import { hashOpaqueToken } from './opaque-token.js'

/** The fields of a user that a link depends on. */
type Holder = Pick<User, 'id' | 'passwordHash' | 'epoch'>

interface LinkPurpose extends HandedLink {
  /** Whether it sets the first password. */
  readonly isInvitation?: boolean
  /** The authorization request to resume afterwards, as a query string. */
  readonly request?: string
  /** Lifetime in seconds, at most and by default {@link PASSWORD_LINK_TTL}. */
  readonly ttl?: number
}

/** An opened link, and the user who can set a password. */
export interface OpenedLink extends Pick<LinkPurpose, 'isInvitation' | 'mailedTo' | 'shownTo' | 'request'> {
  readonly user: User
  readonly profile: UserProfile
}

/** Links that set a password without the previous one. Nothing is stored: a link contains its purpose. */
export interface PasswordLinks {
  /** Issues the secret part of a link. */
  issue (user: Holder, purpose: LinkPurpose, now: Date): Promise<string>
  /**
   * Opens a link; `null` if it has expired or was not made here, the user is disabled, removed or has another address, or the password
   * was changed or access revoked since. So the first use invalidates all links of the user.
   */
  find (link: string, now: Date): Promise<OpenedLink | null>
}

/** Makes {@link PasswordLinks}. The previous secret stays valid during a rotation. */
export function createPasswordLinks (
  { users, profiles }: { users: Pick<Users, 'find'>, profiles: Pick<Profiles, 'find'> },
  secrets: Secrets
): PasswordLinks {
  const jwts = createSealedJwts<{ sub: string, state: string, endsAt: number } & Omit<LinkPurpose, 'ttl'>>(secrets, 'password links')
  return {
    async issue (user, { ttl = PASSWORD_LINK_TTL, ...purpose }, now) {
      return await jwts.seal({ sub: user.id, state: credentialState(user), endsAt: now.getTime() / 1_000 + ttl, ...purpose }, now)
    },
    async find (link, now) {
      const claims = await jwts.open(link, PASSWORD_LINK_TTL, now)
      if (claims === null || claims.endsAt * 1_000 <= now.getTime()) return null
      const { sub, state, endsAt, ...purpose } = claims
      const profile = await profiles.find(sub)
      const user = profile === null ? null : await users.find(profile.username)
      if (profile === null || user?.disabledAt !== null || user.id !== sub || credentialState(user) !== state) return null
      return purpose.mailedTo === undefined || purpose.mailedTo === profile.email ? { user, profile, ...purpose } : null
    }
  }
}

/** Changes with the password and with each revocation of access. */
export function credentialState ({ passwordHash, epoch }: Holder): string {
  return hashOpaqueToken(`${passwordHash} ${epoch}`)
}
