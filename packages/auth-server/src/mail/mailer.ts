/** An email to one user, in plain text and in HTML with the same content. */
export interface Mail {
  readonly to: { readonly name: string, readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends emails. */
export interface Mailer {
  /** Resolves when the server has accepted the email. @throws if it has not within half a minute */
  send (mail: Mail, signal?: AbortSignal): Promise<void>
}

const MAX_EMAILS = 20

type ShownMail = Mail & { readonly at: Date }

/** Keeps emails in memory instead of sending them, for development. */
export interface ShownMails extends Mailer {
  /** Newest first. */
  list (): readonly ShownMail[]
}

/** @param now time of an email */
export function createShownMails (now: () => Date): ShownMails {
  const emails: ShownMail[] = []
  return {
    async send (mail) {
      emails.unshift({ ...mail, at: now() })
      emails.splice(MAX_EMAILS)
    },
    list: () => emails
  }
}
