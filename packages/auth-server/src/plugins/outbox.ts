import fp from 'fastify-plugin'
import { createShownMails, type ShownMails } from '../mail/mailer.js'
import { createOutbox, type Outbox } from '../mail/outbox.js'
import { createSmtpMailer } from '../mail/smtp.js'
import { sendsMail, type MailConfig } from '../settings/mail.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends emails in the background; `undefined`: email is off. */
    readonly outbox: Outbox | undefined
    /** The emails that are shown instead, in development; else `undefined`. */
    readonly shownMails: ShownMails | undefined
  }
}

/** Decorates the server with its outbox. When the server closes, plugins that put emails into it close first. */
export default fp<{ mail: MailConfig }>(async function outbox (fastify, { mail }) {
  const shown = mail === 'shown' ? createShownMails(() => fastify.clock.now()) : undefined
  const mailer = sendsMail(mail) ? createSmtpMailer(mail) : shown
  const outbox = mailer && createOutbox(mailer)
  fastify.decorate('shownMails', shown)
  fastify.decorate('outbox', outbox)
  fastify.addHook('onClose', async () => await outbox?.close())
}, { name: 'outbox', fastify: '5.x', dependencies: ['clock'] })
