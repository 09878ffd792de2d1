import t, { type Test } from 'tap'
import { buildAdmin } from '../support/admin/admin.js'
import { buildConsole } from '../support/admin/console.js'
import { onDatabase, runBeside } from '../support/cli/frontdesk-auth.js'
import { Browser } from '../support/helper.js'
import { readMail, startMailServer } from '../support/mail-server.js'

export const onBothDatabases = true

/** An administrator, and Bob with an address. */
async function prepare (t: Test, { emailVerified = true } = {}) {
  const { env, mails, received } = await startMailServer(t)
  const { add, as, app, stores } = await buildAdmin(t, env)
  await add('root', 'administrator')
  const id = await add('bob')
  await stores.profiles.change({ id }, { email: 'bob@example.com', emailVerified })
  const root = await as('root')
  const patch = async (body: object) => await root('PATCH', `/users/${id}`, body)
  const bob = async () => await stores.profiles.findAny({ id })
  return { mails, received, app, stores, root, id, patch, bob }
}

t.test('a changed address gets a link that verifies it, and the previous one a notice', async t => {
  const { mails, received, app, root, id, patch, bob } = await prepare(t)
  const changed = await patch({ email: 'new@example.com' })
  t.match(changed.json(), { email: 'new@example.com', emailVerified: false, mailedTo: 'new@example.com' })
  t.equal(changed.headers.etag, (await root('GET', `/users/${id}`)).headers.etag, 'emails do not change the version')
  await received(2)
  t.same(mails.map(({ to }) => to[0]), ['bob@example.com', 'new@example.com'])
  t.match(readMail(mails[0]!).text, 'The email address of your account at id.example was changed.')
  const [, path = 'none'] = /https:\/\/id\.example(\/verify-email\?link=\S+)/.exec(readMail(mails[1]!).text) ?? []
  const link = path.split('link=')[1] ?? ''
  t.equal((await new Browser(app).post('/verify-email', { link, password: 'correct horse' })).statusCode, 200)
  t.match(await bob(), { email: 'new@example.com', emailVerified: true })
})

t.test('an address that an administrator verifies, keeps or removes gets no link; neither do users who cannot use it', async t => {
  const { mails, stores, id, patch } = await prepare(t, { emailVerified: false })
  for (const change of [
    { email: 'bob@example.com' }, { email: 'verified@example.com', emailVerified: true }, { email: 'verified@example.com' },
    { emailVerified: false }, { email: null }, { name: 'Bob' }, { roles: ['auditor'] }
  ]) t.notMatch((await patch(change)).json(), { mailedTo: String })
  await stores.users.setDisabled({ id }, new Date())
  await patch({ email: 'disabled@example.com' })
  t.same(mails, [])
})

t.test('the console and the command line send it, too, and say where or why not', async t => {
  const { env, received } = await startMailServer(t)
  const { add, as, stores } = await buildConsole(t, env)
  await add('root', 'administrator')
  const id = await add('bob')
  const root = as('root')
  const page = `/people/${id}`
  t.match((await root.open(page)).body, 'we email the user a link to verify it')
  t.equal((await root.send(`${page}/details`, { email: 'console@example.com' }, page)).statusCode, 303)
  t.same((await received(1)).to, ['console@example.com'])
  t.match(await stores.profiles.findAny({ id }), { email: 'console@example.com', emailVerified: false })

  const { cli, env: database } = await onDatabase(t)
  cli(['user', 'add', 'ann'], 'correct horse')
  const update = async (email: string, more: Record<string, string> = {}) =>
    await runBeside(['user', 'update', 'ann', '--email', email], { ...database, ...env, ...more })
  t.same(await update('ann@example.com'), {
    code: 0, stdout: 'Changed "ann". Emailed a link to verify "ann@example.com".\n', stderr: ''
  })
  t.match(readMail(await received(2)).text, /http:\/\/localhost:3000\/verify-email\?link=/)
  t.match(await update('never@example.com', { SMTP_URL: 'no URL' }), { code: 1, stderr: /SMTP_URL must/ })
  t.match((await runBeside(['user', 'show', 'ann'], database)).stdout, 'ann@example.com', 'with invalid settings, nothing is changed')
  const failed = await update('other@example.com', { SMTP_URL: 'smtp://127.0.0.1:9' })
  t.match(failed, { code: 0, stdout: 'Changed "ann".\n', stderr: /^The email to "other@example\.com" was not sent: / })
})
