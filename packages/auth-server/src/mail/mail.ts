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
