import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { Readable } from 'node:stream'
import type { Config } from '../../config.js'
import { connectionLimits, SEND_TIMEOUT_MS } from '../../mail/smtp.js'

/** Error of nodemailer: the SMTP command that failed, if one did. */
type SmtpFailure = Error & { readonly command?: string | undefined }

/** Checks that the mail server answers, signs in and takes the sender. No mail is sent: the message ends before its first byte. */
export async function * checkMail ({ mail }: Pick<Config, 'mail'>): AsyncGenerator<Finding> {
  const { ok, wrong } = findings('mail')
  if (mail === undefined || mail === 'shown') return
  const { server: { host, port }, from: { address } } = mail
  const failure = await offer(mail)
  if (failure === null) yield ok(`The mail server ${host}:${port} takes mails from ${address}.`)
  else if (failure.command === 'MAIL FROM') {
    yield wrong(`The mail server ${host}:${port} refuses mails from ${address}: ${failure.message}`, 'Set MAIL_FROM to an address that it may send for.')
  } else {
    yield wrong(`The mail server ${host}:${port} cannot be used: ${failure.message}`, 'Check SMTP_URL and SMTP_TLS, and that this machine may connect.')
  }
}

/** Goes as far as to the start of a message from and to the sender. Why it cannot; `null` if it can. */
async function offer ({ server, from: { address } }: Exclude<Config['mail'], 'shown' | undefined>): Promise<SmtpFailure | null> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({ ...connectionLimits, ...server })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<SmtpFailure | null>(resolve => {
      const judge = (error: SmtpFailure | null) => resolve(isTaken(error) ? null : error)
      const send = () => connection.send({ from: address, to: [address] }, unsent(), judge)
      timer = setTimeout(() => resolve(new Error('It takes too long to answer.')), SEND_TIMEOUT_MS)
      connection.once('error', judge)
      connection.once('end', () => resolve(new Error('It closed the connection.')))
      connection.connect(error => {
        if (error) return judge(error)
        if (server.auth === undefined) return send()
        connection.login(server.auth, error => error ? judge(error) : send())
      })
    })
  } finally {
    clearTimeout(timer)
    connection.close()
  }
}

const UNSENT = 'not to be sent'

/** A message that fails when the server asks for it. */
function unsent () {
  return new Readable({ read () { this.destroy(new Error(UNSENT)) } })
}

/** It got to the message, or the sender was taken and is no recipient, as it is with many a no-reply address. */
function isTaken (error: SmtpFailure | null) {
  return error === null || error.message === UNSENT || error.command === 'RCPT TO'
}
