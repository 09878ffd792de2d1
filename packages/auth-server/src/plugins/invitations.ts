import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { PASSWORD_LINK_TTL } from '../lifetimes.js'
import { writeLinkMail } from '../mail/link-mail.js'
import { recipientAt } from '../mail/recipient.js'
import { isRefused } from '../mail/smtp.js'
import { siteName } from '../settings/site-name.js'
import { createPasswordLinks } from '../sign-in/password-link.js'
import type { Stores } from '../stores/stores.js'
import type { Invited } from '../stores/users/invitations.js'

interface Options {
  config: Config
  stores: Pick<Stores, 'users' | 'profiles'>
  /** How often it looks for due invitations, in milliseconds. Default: {@link INTERVAL_MS}. */
  everyMs?: number
}

const INTERVAL_MS = 10_000
/** Maximum invitations that a replica sends at once, so that other emails do not wait behind them. */
const MAX_CONCURRENT = 20

/** Emails the invitations that an import has queued, on every replica. */
export default fp<Options>(async function invitations (fastify, { config, stores, everyMs = INTERVAL_MS }) {
  const { outbox, log } = fastify
  if (outbox === undefined) return
  const links = createPasswordLinks(stores, config)
  const [site, hours] = [siteName(config), PASSWORD_LINK_TTL / 3_600]
  let sending = 0

  async function send (user: Invited): Promise<void> {
    const { id, email } = user
    const sealed = await links.issue(user, { isInvitation: true, mailedTo: email }, fastify.clock.now())
    const link = `${config.issuer}/set-password?link=${sealed}`
    const recipient = await recipientAt(user, config.defaultLanguage)
    const failure = await new Promise<Error | null>(resolve => {
      outbox?.put(writeLinkMail({ ...recipient, purpose: 'invitation', link, hours, site }), resolve)
    })
    if (failure !== null) log.warn({ err: failure, userId: id }, 'an invitation was not sent')
    // Others are retried when the claim has expired.
    if (failure === null || isRefused(failure)) await stores.users.finishInvitation(id)
  }

  periodic(fastify, {
    name: 'invitations',
    everyMs,
    async run () {
      if (sending === MAX_CONCURRENT) return
      const due = await stores.users.claimInvitations(MAX_CONCURRENT - sending)
      sending += due.length
      for (const user of due) {
        send(user)
          .catch(err => { log.warn({ err, userId: user.id }, 'cannot send an invitation; retrying later') })
          .finally(() => { sending-- })
      }
    },
    warning: 'cannot read due invitations; retrying later'
  })
}, { name: 'invitations', fastify: '5.x', dependencies: ['clock', 'outbox'] })
