import t from 'tap'
import { setPassword } from '../../src/admin/passwords.js'
import { loadConfig } from '../../src/config.js'
import { Browser, build } from '../support/helper.js'
import { readMail, startMailServer } from '../support/mail-server.js'
import { pathIn, subjectOf } from '../support/not-me.js'

const BY = { kind: 'shell', name: 'operator' } as const

t.test('a user is emailed about a password that an operator set, with a link for users who did not ask for it', async t => {
  const { env, mails, received } = await startMailServer(t)
  const { app, stores } = await build(t, env)
  let reads = 0
  const set = async (more: Record<string, string> = {}) => await setPassword(stores, 'ann', {
    password: 'battery staple',
    passwordMin: 8,
    readConfig () {
      reads++
      return loadConfig({ ISSUER: 'https://id.example', ...env, ...more })
    }
  }, BY)
  t.notMatch(await set(), { mailFailure: String })
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  await stores.users.setDisabled('ann', new Date())
  await set()
  await stores.users.setDisabled('ann', null)
  t.same([mails.length, reads], [0, 0], 'without a verified address, or disabled, no one is, and no settings are needed')

  t.notMatch(await set(), { mailFailure: String })
  const mail = await received(1)
  t.same([mail.to, subjectOf(mail)], [['ann@example.com'], 'An administrator set a new password at id.example'])
  t.match(readMail(mail).text, /If you didn't ask for this, open this link within 7 days/)
  t.match((await new Browser(app).get(pathIn(mail))).body, 'An administrator set a new password')

  t.match(await set({ SMTP_URL: 'smtp://127.0.0.1:9' }), { mailFailure: /^The email to "ann@example\.com" was not sent: / })
  t.equal(mails.length, 1)
  t.equal((await stores.audit.list({ event: 'user passwd' }, 9)).length, 4)
})
