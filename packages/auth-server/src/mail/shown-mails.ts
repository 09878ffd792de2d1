import type { Mail, Mailer } from './mail.js'

/** Maximum emails kept. */
const CAPACITY = 20

/** An email that a page shows. */
export type ShownMail = Mail & { readonly at: Date }

/** Keeps emails in memory instead of sending them, for development. */
export interface ShownMails extends Mailer {
  /** Newest first. */
  list (): readonly ShownMail[]
}

/** @param now time of an email */
export function createShownMails (now: () => Date): ShownMails {
  const mails: ShownMail[] = []
  return {
    async send (mail) {
      mails.unshift({ ...mail, at: now() })
      mails.splice(CAPACITY)
    },
    list: () => mails
  }
}
