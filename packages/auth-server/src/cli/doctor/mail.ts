import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { Readable } from 'node:stream'
import type { Reason } from '../../languages/reason.js'
import type { Config } from '../../config.js'
import { connectionLimits, SEND_TIMEOUT_MS } from '../../mail/smtp.js'
import { explainSmtpFailure, type SmtpFailure } from '../../mail/smtp-failure.js'
import { sendsMail, type SmtpConfig } from '../../settings/mail.js'

/** Checks that the mail server responds, authenticates and accepts the sender. Sends no email: the message ends before its first byte. */
export async function * checkMail ({ mail }: Pick<Config, 'mail'>): AsyncGenerator<Finding<Reason | string>> {
  const { ok, wrong } = findings<Reason | string>('mail')
  if (!sendsMail(mail)) return
  const { server: { host, port }, from: { address } } = mail
  const failure = await offer(mail)
  if (failure === null) yield ok(`The mail server ${host}:${port} accepts email from ${address}.`)
  else yield wrong(...explainSmtpFailure(failure, mail))
}

/** Begins to send a message from and to the sender. Returns the error; `null` if it succeeds. */
async function offer ({ server, from: { address } }: SmtpConfig): Promise<SmtpFailure | null> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({ ...connectionLimits, ...server })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<SmtpFailure | null>(resolve => {
      const judge = (error: SmtpFailure | null) => resolve(isTaken(error) ? null : error)
      const send = () => connection.send({ from: address, to: [address] }, unsent(), judge)
      timer = setTimeout(() => resolve(failureWith('ETIMEDOUT')), SEND_TIMEOUT_MS)
      connection.once('error', judge)
      connection.once('end', () => resolve(failureWith('ECONNRESET')))
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

function failureWith (code: string): SmtpFailure {
  return Object.assign(new Error(code), { code })
}

const UNSENT = 'not to be sent'

/** A message that fails when it is sent. */
function unsent () {
  return new Readable({ read () { this.destroy(new Error(UNSENT)) } })
}

/** Whether the message began, or the sender was accepted but cannot be a recipient, like many no-reply addresses. */
function isTaken (error: SmtpFailure | null) {
  return error === null || error.message === UNSENT || error.command === 'RCPT TO'
}
