import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Test } from 'tap'

/** A mail as the server got it. */
export interface ReceivedMail { from: string, to: string[], secure: boolean, user: string | undefined, source: string }

/** A mail server of a test: what it got, and the settings with which auth-server sends to it. */
export interface MailServer {
  mails: ReceivedMail[]
  /** Waits until it got this many mails. Returns the last of them. */
  received: (count: number) => Promise<ReceivedMail>
  port: number
  env: Record<string, string>
}

/** Starts a real mail server on loopback. */
export async function startMailServer (t: Test, options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const arrivals = new EventEmitter()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData (stream, { envelope, secure, user }, done) {
      text(stream).then(source => {
        const { mailFrom, rcptTo } = envelope
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(it => it.address), secure, user: user as string | undefined, source }) // as: of onAuth.
        arrivals.emit('mail')
        done()
      }, done)
    },
    ...options
  })
  // A client that gives up is part of these tests.
  server.on('error', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => new Promise<void>(resolve => { server.close(() => resolve()) }))
  // as: it listens on a port.
  const { port } = server.server.address() as AddressInfo
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_TLS: 'off', MAIL_FROM: 'The desk <no-reply@id.example>' }
  const received = async (count: number) => {
    while (mails.length < count) await once(arrivals, 'mail')
    return mails[count - 1]!
  }
  return { mails, received, port, env }
}

/** The headers of a mail, unfolded. */
export function headersOf ({ source }: Pick<ReceivedMail, 'source'>): string[] {
  return source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}

/** The text of a mail, decoded (RFC 2045 §6.7), and its headers, unfolded. */
export function readMail ({ source }: ReceivedMail): { headers: string[], text: string, html: string } {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ''
  const [, plain = '', html = ''] = rest.join('\r\n\r\n').split(`--${boundary}`)
  return { headers: headersOf({ source }), text: decode(plain), html: decode(html) }
}

function decode (part: string): string {
  const [head = '', ...body] = part.split('\r\n\r\n')
  const content = body.join('\r\n\r\n')
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return content
  return Buffer.from(content.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))), 'latin1').toString()
}
