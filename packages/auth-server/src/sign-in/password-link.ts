import { createSealedJwts } from '../keys/sealed-jwt.js'
import { PASSWORD_LINK_TTL } from '../lifetimes.js'
import type { User, Users } from '../stores/users.js'
import { hashOpaqueToken } from './opaque-token.js'

/** A person, as far as a link depends on them. */
type Holder = Pick<User, 'id' | 'passwordHash' | 'epoch'>

/** Links with which people set a password without knowing the one before. Nothing is stored: a link holds what it is for. */
export interface PasswordLinks {
  /** The secret part of a link. */
  issue (person: Holder, now: Date): Promise<string>
  /**
   * The person who may set a password now; `null` if the link has expired, was not made here, the person is disabled or removed,
   * or the password was changed or access revoked since: so the first use ends it, and every other link of the person.
   */
  find (link: string, now: Date): Promise<User | null>
}

/** Makes {@link PasswordLinks}. The previous secret stays valid during a rotation. */
export function createPasswordLinks (
  users: Pick<Users, 'find' | 'names'>,
  secrets: { secretKey: string, previousSecretKey?: string | undefined }
): PasswordLinks {
  const jwts = createSealedJwts<{ sub: string, state: string }>(secrets, 'password links')
  return {
    issue: async (person, now) => await jwts.seal({ sub: person.id, state: stateOf(person) }, now),
    async find (link, now) {
      const claims = await jwts.open(link, PASSWORD_LINK_TTL, now)
      if (claims === null) return null
      const username = (await users.names([claims.sub])).get(claims.sub)
      const person = username === undefined ? null : await users.find(username)
      return person?.disabledAt === null && person.id === claims.sub && stateOf(person) === claims.state ? person : null
    }
  }
}

/** Changes with the password and with each revocation of access. */
function stateOf ({ passwordHash, epoch }: Holder): string {
  return hashOpaqueToken(`${passwordHash} ${epoch}`)
}
