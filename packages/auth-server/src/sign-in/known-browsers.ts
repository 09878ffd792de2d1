import { createHmac } from 'node:crypto'
import { deriveKeys, type Secrets } from '../keys/seal.js'
import type { User } from '../stores/users/users.js'

/** Maximum users that a browser is known to: others can share it. */
const MAX_USERS = 10
/** Characters of a mark: 128 bits, base64url. */
const MARK_LENGTH = 22

const COOKIE = new RegExp(`^[\\w-]{${MARK_LENGTH}}(\\.[\\w-]{${MARK_LENGTH}}){0,${MAX_USERS - 1}}$`)

/** A browser after a sign-in. */
interface SeenBrowser {
  /** Whether the user had signed in with it before, since their access was last revoked. */
  readonly isKnown: boolean
  readonly cookie: string
}

/** Recognizes the browsers in which users have signed in. @param cookie the browser's, which is `undefined` or anything */
type SeeBrowser = (cookie: string | undefined, user: Pick<User, 'id' | 'epoch'>) => SeenBrowser

/**
 * Makes {@link SeeBrowser}. Nothing is stored: the cookie has a mark of each user, an HMAC of the user and the access epoch. So what ends
 * sessions makes browsers unknown, too. The cookie identifies no one, and gives no access.
 */
export function createSeeBrowser (secrets: Secrets): SeeBrowser {
  const keys = deriveKeys(secrets, 'known browsers')
  return (cookie = '', { id, epoch }) => {
    const marks = keys.map(key => createHmac('sha256', key).update(`${id} ${epoch}`).digest('base64url').slice(0, MARK_LENGTH))
    const before = COOKIE.test(cookie) ? cookie.split('.') : []
    const others = before.filter(mark => !marks.includes(mark))
    return { isKnown: others.length < before.length, cookie: [marks[0], ...others].slice(0, MAX_USERS).join('.') }
  }
}
