import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import type { Recipient } from './recipient.js'

/** What a code permits: to set up a factor, or to replace the address. */
export type CodePurpose = 'factor' | 'address'

interface CodeMail extends Recipient {
  readonly site: string
  readonly purpose: CodePurpose
  readonly code: string
  readonly minutes: number
}

/** Writes the email with the code that permits setting up a factor, or replacing the address that it is sent to. */
export function writeCodeMail ({ purpose, site, code, minutes, ...recipient }: CodeMail): Mail {
  const { t, username } = recipient
  return writeLetter({
    ...recipient,
    subject: t('mail.code.subject', { site }),
    before: [t(`mail.code.${purpose}`, { site, username }), t('mail.code.enter', { minutes, digits: code })],
    after: [t(`mail.code.${purpose}-unexpected`)]
  })
}
