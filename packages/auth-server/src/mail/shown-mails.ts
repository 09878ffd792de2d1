import type { Mail, Mailer } from './mail.js'

/** Most mails that are kept. */
const CAPACITY = 20

/** A mail that a page shows. */
export type ShownMail = Mail & { readonly at: Date }

/** Keeps mails in memory instead of sending them: for development. */
export interface ShownMails extends Mailer {
  /** Newest first. */
  list (): readonly ShownMail[]
}

/** @param now time of a mail */
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
