import type { Config } from '../config.js'
import type { Secrets } from '../keys/seal.js'
import { createNotify } from '../mail/notices.js'
import type { Outbox } from '../mail/outbox.js'
import { siteName } from '../settings/site-name.js'
import type { Stores } from '../stores/stores.js'
import { createMailPasswordLink } from './mail-password-link.js'
import { createMailedCodes } from './mailed-code.js'
import { createNotMeLinks } from './not-me-link.js'
import type { PasswordLinks } from './password-link.js'

interface Options {
  readonly stores: Pick<Stores, 'clock' | 'profiles' | 'spentIds' | 'throttles'>
  readonly config: Secrets & Pick<Config, 'brand' | 'defaultLanguage' | 'issuer'>
  readonly passwordLinks: PasswordLinks
  /** `undefined`: email is off. */
  readonly outbox: Outbox | undefined
  readonly log: { readonly error: (facts: object, message: string) => void }
}

/** Makes the emails to users, their links and codes. If email is off, `notify` does nothing, and what sends on request is `undefined`. */
export function createEmails ({ stores, config, passwordLinks, outbox, log }: Options) {
  const [site, now] = [siteName(config), () => stores.clock.now()]
  const notMeLinks = createNotMeLinks(config)
  return {
    notify: createNotify({
      profiles: stores.profiles,
      outbox,
      site,
      defaultLanguage: config.defaultLanguage,
      issueLink: about => notMeLinks.issue(about, now()),
      onFailure: (err, userId) => log.error({ err, userId }, 'an email was not sent')
    }),
    notMeLinks,
    mailLink: outbox && createMailPasswordLink({ passwordLinks, outbox, issuer: config.issuer, site, now }),
    mailedCodes: outbox && createMailedCodes({ stores, secrets: config, outbox, site })
  }
}
