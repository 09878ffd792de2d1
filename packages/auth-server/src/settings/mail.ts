import { isLoopback } from '@frontdesk/service-kit/address'
import { oneOf, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static } from '@sinclair/typebox'

/** Settings for email. */
export const mailSettings = {
  SMTP_URL: Type.Optional(text(
    'Mail server that sends links to set a password: `smtp://user:password@host:587`, or `smtps://` for TLS from the start. Without it, no email is sent.',
    'be smtp:// or smtps://, then user:password@ if the server requires them, a host and a port. Percent-encode all characters but letters and digits',
    { pattern: '^smtps?://', secret: 'in address' }
  )),
  SMTP_TLS: oneOf('`off` sends email without encryption, for a relay on your own network. With `on`, `smtp://` uses STARTTLS.', ['on', 'off']),
  MAIL_FROM: Type.Optional(text(
    'Sender of emails: an address, or `Name <address>`.',
    'be an address such as no-reply@example.com, or a name and an address such as Example <no-reply@example.com>'
  ))
}

type MailSettings = Static<ReturnType<typeof Type.Object<typeof mailSettings>>>

/** Rules of {@link mailSettings}. */
export const mailRules = {
  forms: { SMTP_URL: value => parseSmtpUrl(value) !== undefined, MAIL_FROM: value => parseSender(value) !== undefined },
  relations: [
    {
      names: ['SMTP_URL', 'MAIL_FROM'],
      whyNot: ({ SMTP_URL: url, MAIL_FROM: from }) => url !== undefined && from === undefined
        ? 'MAIL_FROM is missing. Set it to the address that emails are sent from, such as no-reply@example.com.'
        : null
    },
    {
      names: ['SMTP_URL', 'SMTP_TLS'],
      whyNot: ({ SMTP_URL: url = '', SMTP_TLS }) => {
        const { protocol, hostname, username } = parseSmtpUrl(url) ?? { protocol: 'smtps:', hostname: '', username: '' }
        return SMTP_TLS === 'off' && protocol === 'smtp:' && username !== '' && !isLoopback(hostname)
          ? 'SMTP_TLS=off would send the password in SMTP_URL unencrypted. Remove SMTP_TLS, or the user and the password.'
          : null
      }
    }
  ]
} satisfies SettingsRules<MailSettings>

/** A mail server, in nodemailer's format. */
interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the start. */
  readonly secure: boolean
  /** Whether STARTTLS is mandatory: an attacker who strips the offer must not get an unencrypted connection. */
  readonly requireTLS: boolean
  readonly ignoreTLS: boolean
  readonly auth?: { readonly user: string, readonly pass: string }
}

interface Sender { readonly name: string, readonly address: string }

/** A mail server, and the sender of emails. */
export interface SmtpConfig { readonly server: SmtpServer, readonly from: Sender }

/** How emails are sent: through a server; `'shown'`: on a page of this machine; `undefined`: email is off. */
export type MailConfig = SmtpConfig | 'shown' | undefined

/** Whether emails are sent through a server. */
export function sendsMail (mail: MailConfig): mail is SmtpConfig {
  return mail !== undefined && mail !== 'shown'
}

/** Converts settings that {@link mailRules} accept. @param isLocal whether only this machine can reach the server, in development */
export function readMail ({ SMTP_URL: url, SMTP_TLS, MAIL_FROM: sender }: MailSettings, isLocal: boolean): MailConfig {
  const [parsed, from] = [parseSmtpUrl(url ?? ''), parseSender(sender ?? '')]
  if (parsed === undefined || from === undefined) return isLocal ? 'shown' : undefined
  const { protocol, hostname, port, username, password } = parsed
  const secure = protocol === 'smtps:'
  return Object.freeze({
    server: {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || (secure ? 465 : 587)),
      secure,
      requireTLS: !secure && SMTP_TLS === 'on',
      ignoreTLS: SMTP_TLS === 'off',
      ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } })
    },
    from
  })
}

function parseSmtpUrl (text: string): URL | undefined {
  if (!/^smtps?:\/\/[^\s?#\\/]+\/?$/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // A lone % cannot be decoded. A server that requires a user requires a password.
  const areWhole = [url.username, url.password].every(part => /^([^%]|%[0-9A-Fa-f]{2})*$/.test(part))
  return areWhole && (url.username === '') === (url.password === '') ? url : undefined
}

function parseSender (text: string): Sender | undefined {
  const { name, bare, angled } = /^(?:(?<bare>[^\s@<>]+@[^\s@<>,]+)|(?<name>[^\p{Cc}<>"]*?) *<(?<angled>[^\s@<>]+@[^\s@<>,]+)>)$/u.exec(text)?.groups ?? {}
  const address = bare ?? angled
  return address === undefined ? undefined : { name: name ?? '', address }
}
