import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { loadConfig } from '../../src/config.js'
import { createSmtpMailer, isRefused } from '../../src/mail/smtp.js'
import { translator } from '../../src/languages/translator.js'
import { writeLinkMail } from '../../src/mail/link-mail.js'
import { readMail, startMailServer } from '../support/mail-server.js'

const mailerOf = (env: Record<string, string>) => {
  const { mail } = loadConfig(env)
  if (mail === undefined || mail === 'shown') throw new Error('no mail server')
  return createSmtpMailer(mail)
}
const english = await translator('en')
const write = (to = { name: 'Ann', address: 'ann@example.com' }, username = 'ann') =>
  writeLinkMail({ to, username, t: english, purpose: 'invitation', link: 'https://id.example/x', hours: 24, site: 'id.example' })

t.test('names and addresses add no header, no recipient and no markup', async t => {
  const server = await startMailServer(t)
  const mailer = mailerOf(server.env)
  const hostile = ['Ann\r\nBcc: eve@example.com', 'eve@example.com, Ann', '"Ann" <eve@example.com>', 'Ann\0', '=?utf-8?q?=0D=0ABcc:_x?=', '山田 <b>', 'x'.repeat(5_000)]
  for (const name of hostile) {
    await mailer.send(write({ name, address: 'ann@example.com' }, '<img src=x>\r\nBcc: eve@example.com'))
    const { headers, html } = readMail(server.mails.at(-1)!)
    t.same(server.mails.at(-1)?.to, ['ann@example.com'])
    t.same(headers.filter(it => /^(b?cc|to|from|subject):/i.test(it)).map(it => it.split(':')[0]).sort(), ['From', 'Subject', 'To'], name.slice(0, 30))
    t.notMatch(html, '<img')
  }
  t.equal(server.mails.length, hostile.length)
  for (const address of ['ann@example.com>\r\nRCPT TO:<eve@example.com', 'ann,eve@example.com', '"eve@example.com "@example.com']) {
    await t.rejects(mailer.send(write({ name: 'Ann', address })), TypeError)
  }
})

t.test('without STARTTLS nothing is sent, unless it is turned off', async t => {
  const server = await startMailServer(t)
  await t.rejects(mailerOf({ ...server.env, SMTP_TLS: 'on' }).send(write()), /STARTTLS/)
  t.equal(server.mails.length, 0)
  await mailerOf(server.env).send(write())
  t.match(server.mails, [{ secure: false }])
})

t.test('a certificate that is not trusted ends the connection', async t => {
  const server = await startMailServer(t, { disabledCommands: [] })
  await t.rejects(mailerOf({ ...server.env, SMTP_TLS: 'on' }).send(write()), /certificate/)
  t.equal(server.mails.length, 0)
})

t.test('a refusal is told apart from what may pass', async t => {
  for (const [responseCode, isFinal] of [[550, true], [451, false]] as const) {
    const server = await startMailServer(t, { onRcptTo (address, session, done) { done(Object.assign(new Error('no'), { responseCode })) } })
    t.equal(isRefused(await mailerOf(server.env).send(write()).catch((error: unknown) => error)), isFinal)
  }
  t.equal(isRefused(await mailerOf({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example' }).send(write()).catch((error: unknown) => error)), false)
})

/** A server that speaks no SMTP. */
async function startLiar (t: Test, speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    speak(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, MAIL_FROM: 'no-reply@id.example', SMTP_TLS: 'off' } // as: a port.
}

t.test('a server that hangs is given up when the outbox stops, and one that never ends its greeting, at once', async t => {
  const stop = new AbortController()
  const silent = mailerOf(await startLiar(t, () => setImmediate(() => stop.abort())))
  await t.rejects(silent.send(write(), stop.signal), { name: 'AbortError' })
  await t.rejects(mailerOf(await startLiar(t, socket => { socket.write(`220 ${'x'.repeat(200_000)}`) })).send(write()), /response/i)
})
