import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import t, { type Test } from 'tap'
import { folder, onDatabase, runBeside } from '../support/cli/frontdesk-auth.js'
import { readMail, startMailServer } from '../support/mail-server.js'

/** A mail server with a certificate that the program trusts, and a user: what a provider of mail has. */
async function prepare (t: Test) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec', algorithm: 'sha256', extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }]
  })
  const ca = join(folder(t), 'ca.pem')
  writeFileSync(ca, cert)
  const server = await startMailServer(t, {
    key,
    cert,
    disabledCommands: [],
    authOptional: false,
    onAuth ({ username, password }, session, done) {
      if (username === 'desk' && password === 'p@ss') done(null, { user: username })
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
    onMailFrom ({ address }, session, done) {
      done(address === 'no-reply@id.example' ? null : Object.assign(new Error('not yours'), { responseCode: 550 }))
    }
  })
  const { env, stores, cli } = await onDatabase(t)
  const settings = (url = `smtp://desk:p%40ss@localhost:${server.port}`, from = 'no-reply@id.example') =>
    ({ ...env, NODE_EXTRA_CA_CERTS: ca, SMTP_URL: url, MAIL_FROM: from })
  return { server, stores, cli, settings }
}

t.test('user invite and reset-link send mails over STARTTLS, and print a link that cannot be mailed', async t => {
  const { server, stores, cli, settings } = await prepare(t)
  const invited = await runBeside(['user', 'invite', 'ann', '--name', 'Ann Example', '--email', 'ann@example.com'], settings())
  t.match(invited, {
    code: 0, stderr: /^Warning: the link works only on this computer, .*\n$/, stdout: /^Registered "ann"\. Emailed "ann@example\.com" a link with which "ann" can set a password, once, until .*Z\.\n$/
  })
  t.match(server.mails, [{ secure: true, user: 'desk', to: ['ann@example.com'] }])
  const { headers, text } = readMail(server.mails[0]!)
  t.ok(headers.includes('To: Ann Example <ann@example.com>'))
  t.match(text, /^You have an account at localhost:3000\. Your user name is ann\.[^]*within 24 hours:[^]*\/set-password\?link=/)

  t.match(await runBeside(['user', 'reset-link', 'ann'], settings()), { stdout: /^Emailed "ann@example\.com" / }, 'the invitation again')
  t.equal(cli(['user', 'add', 'bob', '--email', 'bob@example.com'], 'correct horse\n').code, 0)
  t.match(await runBeside(['user', 'reset-link', 'bob'], settings()), { stdout: /^With this link, / }, 'the address is not verified')
  await stores.profiles.change('bob', { email: 'bob@example.com', emailVerified: true })
  const branded = { ...settings(), BRAND_NAME: 'Example accounts' }
  t.match(JSON.parse((await runBeside(['user', 'reset-link', 'bob', '--json'], branded)).stdout), { mailedTo: 'bob@example.com', link: undefined })
  t.match(await runBeside(['user', 'reset-link', 'bob', '--print'], settings()), { stdout: /^With this link, / })
  t.equal(server.mails.length, 3)
  t.ok(readMail(server.mails[2]!).headers.includes('Subject: Set a new password at Example accounts'))

  const failed = await runBeside(['user', 'reset-link', 'bob'], settings(`smtp://desk:wrong@localhost:${server.port}`))
  t.match(failed, { code: 0, stdout: /^With this link, /, stderr: /^The email to "bob@example\.com" was not sent: .*535/m })
  t.match(cli(['user', 'reset-link', 'bob']).stdout, /^With this link, /)
})

t.test('doctor signs in at the mail server and offers the sender, and sends nothing', async t => {
  const { server, settings } = await prepare(t)
  const findings = async (env: Record<string, string>) => {
    const { stdout } = await runBeside(['doctor', '--json'], env)
    return (JSON.parse(stdout).findings as Array<{ check: string, sentence: string }>).filter(({ check }) => check === 'mail')
  }
  t.match(await findings(settings()), [{ state: 'ok', sentence: /accepts email from no-reply@id\.example/ }])
  const place = `localhost:${server.port}`
  const wrong: Array<[env: Record<string, string>, sentence: RegExp, remedy: RegExp]> = [
    [settings(undefined, 'other@id.example'), /refuses email from other@id\.example: .*not yours/, /MAIL_FROM/],
    [settings(`smtp://desk:wrong@${place}`), /refuses the user desk or the password: .*wrong password/, /SMTP_URL/],
    [settings(`smtp://${place}`), /requires a user: .*530/, /Add user and password/],
    [settings('smtp://localhost:1'), /^Nothing listens on localhost:1,/, /Start it/],
    [settings('smtp://none.invalid'), /^The name none\.invalid of the mail server is unknown here/, /spelling/],
    [settings(`smtps://${place}`), /does not speak TLS from the start/, /smtp:\/\//],
    [settings(`smtp://127.0.0.1:${server.port}`), /^The TLS certificate of the mail server 127\.0\.0\.1 is for other names/, /name in the certificate/],
    [{ ...settings(`smtp://${place}`), NODE_EXTRA_CA_CERTS: '' }, /was signed by an unknown authority/, /NODE_EXTRA_CA_CERTS/],
    [settings(`smtp://localhost:${(await startMailServer(t)).port}`), /does not encrypt with STARTTLS: /, /smtps:\/\/.*SMTP_TLS=off/]
  ]
  await Promise.all(wrong.map(async ([env, sentence, remedy]) => {
    t.match(await findings(env), [{ state: 'wrong', sentence, remedy }])
  }))
  t.equal(server.mails.length, 0)
})

t.test('a test email goes to the verified address of a person', async t => {
  const { env, stores } = await onDatabase(t)
  const server = await startMailServer(t)
  await stores.users.add({ id: '5b1f2c7e-0000-4000-8000-000000000000', username: 'ann', passwordHash: 'x', demo: false, email: 'ann@example.com', emailVerified: true })
  t.strictSame(await runBeside(['mail', 'test', 'ann'], { ...env, ...server.env }), { code: 0, stdout: 'Sent a test email to ann@example.com.\n', stderr: '' })
  t.match(server.mails, [{ to: ['ann@example.com'] }])
  t.match(await runBeside(['mail', 'test', 'ann'], env), { code: 1, stderr: /Email is not configured/ })
})
