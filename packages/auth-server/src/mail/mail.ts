/** A mail to one person, in plain text and in HTML that says the same. */
export interface Mail {
  readonly to: { readonly name: string, readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends mails. */
export interface Mailer {
  /** Ends when the server has taken the mail. @throws if it has not within half a minute */
  send (mail: Mail, signal?: AbortSignal): Promise<void>
}
