import { PASSWORD_LINK_TTL } from '../../lifetimes.js'
import type { Stores } from '../../stores/stores.js'
import type { User } from '../../stores/users.js'
import { CommandError } from '../command-error.js'
import { minuteOf } from '../print.js'
import { quote } from '../text.js'

/** A link that sets a password, and until when. */
export interface MadeLink { readonly link: string, readonly linkEndsAt: Date }

/** Prepares to make links, with the server's own SECRET_KEY and ISSUER. @throws CommandError if a setting is wrong or missing */
export async function preparePasswordLinks ({ users, clock }: Stores): Promise<(person: User) => Promise<MadeLink>> {
  const [{ loadConfig }, { createPasswordLinks }] = await Promise.all([
    import('../../config.js'), import('../../sign-in/password-link.js')
  ])
  try {
    const config = loadConfig()
    const links = createPasswordLinks(users, config)
    return async person => {
      const now = clock.now()
      const secret = await links.issue(person, now)
      return { link: `${config.issuer}/set-password?link=${secret}`, linkEndsAt: new Date(now.getTime() + PASSWORD_LINK_TTL * 1_000) }
    }
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Tells what to do with a link. */
export function describeLink ({ username }: User, { link, linkEndsAt }: MadeLink): string {
  const until = minuteOf(linkEndsAt)
  return `With this link, ${quote(username)} can set a password, once, until ${until}. Send it to no other person:\n${link}`
}
