import { createSealedJwts } from '../keys/sealed-jwt.js'
import { PASSWORD_LINK_TTL } from '../lifetimes.js'
import type { Person, Profiles } from '../stores/users/profiles.js'
import type { User, Users } from '../stores/users/users.js'
import { hashOpaqueToken } from './opaque-token.js'

/** A person, as far as a link depends on them. */
type Holder = Pick<User, 'id' | 'passwordHash' | 'epoch'>

/** What a link is for. */
interface LinkPurpose {
  /** Whether it sets the first password. */
  readonly isInvitation?: boolean
  /** The address that it is mailed to. The link ends when the person has another one, and verifies it. */
  readonly mailedTo?: string
  /** The authorization request that the person came from, as a query string. */
  readonly request?: string
  /** Lifetime in seconds, at most and by default {@link PASSWORD_LINK_TTL}. */
  readonly ttl?: number
}

/** A link that was opened: who may set a password, and what it is for. */
export interface OpenedLink extends Pick<LinkPurpose, 'isInvitation' | 'mailedTo' | 'request'> { readonly person: User, readonly profile: Person }

/** Links with which people set a password without knowing the one before. Nothing is stored: a link holds what it is for. */
export interface PasswordLinks {
  /** The secret part of a link. */
  issue (person: Holder, purpose: LinkPurpose, now: Date): Promise<string>
  /**
   * Opens a link; `null` if it has expired, was not made here, the person is disabled, removed or has another address,
   * or the password was changed or access revoked since: so the first use ends it, and every other link of the person.
   */
  find (link: string, now: Date): Promise<OpenedLink | null>
}

/** Makes {@link PasswordLinks}. The previous secret stays valid during a rotation. */
export function createPasswordLinks (
  { users, profiles }: { users: Pick<Users, 'find'>, profiles: Pick<Profiles, 'find'> },
  secrets: { secretKey: string, previousSecretKey?: string | undefined }
): PasswordLinks {
  const jwts = createSealedJwts<{ sub: string, state: string, endsAt: number } & Omit<LinkPurpose, 'ttl'>>(secrets, 'password links')
  return {
    async issue (person, { ttl = PASSWORD_LINK_TTL, ...purpose }, now) {
      return await jwts.seal({ sub: person.id, state: stateOf(person), endsAt: now.getTime() / 1_000 + ttl, ...purpose }, now)
    },
    async find (link, now) {
      const claims = await jwts.open(link, PASSWORD_LINK_TTL, now)
      if (claims === null || claims.endsAt * 1_000 <= now.getTime()) return null
      const { sub, state, endsAt, ...purpose } = claims
      const profile = await profiles.find(sub)
      const person = profile === null ? null : await users.find(profile.username)
      if (profile === null || person?.disabledAt !== null || person.id !== sub || stateOf(person) !== state) return null
      return purpose.mailedTo === undefined || purpose.mailedTo === profile.email ? { person, profile, ...purpose } : null
    }
  }
}

/** Changes with the password and with each revocation of access. */
function stateOf ({ passwordHash, epoch }: Holder): string {
  return hashOpaqueToken(`${passwordHash} ${epoch}`)
}
