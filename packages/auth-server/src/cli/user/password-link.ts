import { isLoopback } from '@frontdesk/service-kit/address'
import type { Command } from 'commander'
import { PASSWORD_LINK_TTL } from '../../lifetimes.js'
import type { Stores } from '../../stores/stores.js'
import type { User } from '../../stores/users.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { minuteOf } from '../print.js'
import { quote } from '@frontdesk/service-kit/showable'

/** A link that sets a password, and until when. It was mailed, or is here to be handed over. */
export type MadeLink = { readonly linkEndsAt: Date } & ({ readonly link: string } | { readonly mailedTo: string })

/** What a link is for, and to which address it is mailed; `null`: it is printed. */
interface Purpose { readonly isInvitation: boolean, readonly email: string | null }

/** The option that prints a link although it could be mailed. */
export interface LinkOptions { readonly print?: true }

/** Declares {@link LinkOptions}. */
export function takeLinkOptions (command: Command): Command {
  return command.option('--print', 'print the link, even if it could be emailed (SMTP_URL)')
}

/**
 * Prepares to make links, with the server's own SECRET_KEY and ISSUER, and to mail them, with its SMTP_URL. A link that cannot
 * be mailed is printed. @throws CommandError if a setting is wrong or missing
 */
export async function preparePasswordLinks (stores: Stores): Promise<(person: User, purpose: Purpose) => Promise<MadeLink>> {
  const [{ loadConfig }, { createPasswordLinks }] = await Promise.all([
    import('../../config.js'), import('../../sign-in/password-link.js')
  ])
  try {
    const config = loadConfig()
    const { mail, issuer } = config
    const links = createPasswordLinks(stores, config)
    return async (person, { isInvitation, email }) => {
      if (isLoopback(new URL(issuer).hostname)) console.error(warnOfLoopback(issuer))
      const now = stores.clock.now()
      const linkEndsAt = new Date(now.getTime() + PASSWORD_LINK_TTL * 1_000)
      const make = async (mailedTo?: string) =>
        `${issuer}/set-password?link=${await links.issue(person, { isInvitation, ...(mailedTo === undefined ? {} : { mailedTo }) }, now)}`
      if (email !== null && mail !== undefined && mail !== 'shown') {
        const [{ createSmtpMailer }, { writePasswordMail }, { siteOf }] = await Promise.all([
          import('../../mail/smtp.js'), import('../../mail/password-mail.js'), import('../../settings/brand.js')
        ])
        const { id, username } = person
        const name = (await stores.profiles.find(id))?.name ?? username
        const written = { to: { name, address: email }, username, link: await make(email), isInvitation, site: siteOf(config) }
        try {
          await createSmtpMailer(mail).send(writePasswordMail({ ...written, hours: PASSWORD_LINK_TTL / 3_600 }))
          return { mailedTo: email, linkEndsAt }
        } catch (error) {
          console.error(`The email to ${quote(email)} was not sent: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      return { link: await make(), linkEndsAt }
    }
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** A link begins with the issuer: another computer would look for it at itself. */
function warnOfLoopback (issuer: string): string {
  return `Warning: the link works only on this computer, because ISSUER is ${issuer}. For others, set ISSUER to the public address of auth-server.`
}

/** Tells what to do with a link. */
export function describeLink ({ username }: User, made: MadeLink): string {
  const until = minuteOf(made.linkEndsAt)
  if ('mailedTo' in made) {
    return `Emailed ${quote(made.mailedTo)} a link with which ${quote(username)} can set a password, once, until ${until}.`
  }
  return `With this link, ${quote(username)} can set a password, once, until ${until}. Don't share it with anyone else:\n${made.link}`
}
