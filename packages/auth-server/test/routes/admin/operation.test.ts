import { timeId } from '@frontdesk/service-kit/time-id'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { buildAdmin } from '../../support/admin/admin.js'
import { client } from '../../support/helper.js'
import { readMail, startMailServer } from '../../support/mail-server.js'

export const onBothDatabases = true

t.test('the report names each client that uses the implicit grant or could, page by page, with the next step', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('eve', 'auditor')
  const auditor = await as('eve')
  const day = new Date('2026-01-05T10:00:00Z')
  await stores.clients.put(client({ id: 'moved', implicit: 'off', grantTypes: ['authorization_code'] }))
  await stores.clients.put(client({ id: 'never', implicit: 'off', grantTypes: ['authorization_code'] }))
  await stores.implicitUses.add([{ clientId: 'moved', week: '2026-W02', uses: 3, firstAt: day, lastAt: day }])
  const first = (await auditor('GET', '/implicit-report?limit=1')).json()
  t.match(first, { items: [{ clientId: 'app', policy: 'allowed', canMove: true, weeks: [], command: /^frontdesk-auth client implicit app / }], next: 'app' })
  const second = (await auditor('GET', `/implicit-report?after=${first.next}`)).json()
  t.match(second, { items: [{ clientId: 'moved', policy: 'off', lastUse: day.toISOString(), weeks: [{ week: '2026-W02', uses: 3 }], command: null }], next: null })
  t.equal(second.items.length, 1)
  const { items } = (await auditor('GET', '/implicit-report?all=true')).json()
  t.match(items, [{ clientId: 'admin-cli' }, first.items[0], second.items[0], { clientId: 'never', policy: 'off', lastUse: null }])
})

t.test('health has what doctor finds without other servers, and no secret', async t => {
  const { add, as, stores } = await buildAdmin(t, { SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789' })
  await add('eve', 'auditor')
  const auditor = await as('eve')
  const answer = await auditor('GET', '/health')
  const { status, findings } = answer.json()
  t.equal(status, 'ok', answer.body)
  t.match(findings.find((it: { check: string }) => it.check === 'keys'), { state: 'ok', sentence: /SECRET_KEY decrypts every key/ })
  t.notMatch(answer.body, 'abcdefghijklmnopqrstuvwxyz')
  await stores.users.add({ id: randomUUID(), username: 'demo', passwordHash: 'x', demo: true })
  t.equal((await auditor('GET', '/health')).json().status, 'ok', 'a demo user is fine in development')
})

t.test('the settings are listed with where they come from, and no secret', async t => {
  const { add, as, logs } = await buildAdmin(t, {
    SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789', SMTP_URL: 'smtp://desk:p%40ss@127.0.0.1:1', SMTP_TLS: 'off', MAIL_FROM: 'desk@id.example'
  })
  await add('eve', 'auditor')
  const answer = await (await as('eve'))('GET', '/settings')
  const byName = new Map(answer.json().items.map((it: { name: string }) => [it.name, it]))
  t.match(byName.get('ISSUER'), { value: 'https://id.example', source: 'environment', file: null, description: /^Public address/ })
  t.match(byName.get('ACCESS_TOKEN_TTL'), { value: '600', source: 'default' })
  t.match(byName.get('SECRET_KEY'), { value: '***', source: 'environment' })
  t.match(byName.get('SECRET_KEY_PREVIOUS'), { value: null, source: 'default' })
  t.match(byName.get('SMTP_URL'), { value: 'smtp://desk:***@127.0.0.1:1', source: 'environment' })
  for (const text of [answer.body, logs.join('')]) t.notMatch(text, /abcdefghijklmnopqrstuvwxyz|p%40ss|p@ss/)
})

t.test('a test email goes to the verified address of the administrator who calls', async t => {
  const server = await startMailServer(t)
  const { add, as, stores } = await buildAdmin(t, server.env)
  const id = await add('root', 'administrator')
  const root = await as('root')
  const refused = async (detail: RegExp) => {
    const answer = await root('POST', '/mail/test')
    t.equal(answer.statusCode, 409)
    t.match(answer.json().detail, detail)
  }
  await refused(/verified email address/)
  await stores.profiles.change({ id }, { email: 'root@example.com' })
  await refused(/verified email address/)
  await stores.profiles.change({ id }, { email: 'root@example.com', emailVerified: true })
  const sent = await root('POST', '/mail/test')
  t.same([sent.statusCode, sent.json()], [200, { mailedTo: 'root@example.com' }])
  t.match(server.mails, [{ to: ['root@example.com'] }])
  t.match(readMail(server.mails[0]!).text, /^This is a test email from id\.example\./)
  t.match(await stores.audit.list({ event: 'mail test' }, 5), [{ userId: id, details: { by: id } }])
  for (let times = 0; times < 9; times++) await root('POST', '/mail/test')
  await refused(/10 test emails/)
  t.equal(server.mails.length, 10)

  const bea = await add('bea')
  await stores.profiles.change({ id: bea }, { email: 'bea@example.com', emailVerified: true })
  t.same((await root('POST', `/users/${bea}/test-mail`)).json(), { mailedTo: 'bea@example.com' })
  t.match(server.mails.at(-1), { to: ['bea@example.com'] })
  t.match(await stores.audit.list({ event: 'mail test' }, 1), [{ userId: bea, details: { by: id } }])
  t.equal((await root('POST', '/users/none/test-mail')).statusCode, 404)
})

t.test('a mail server that refuses, or none, is a sentence without the password', async t => {
  const server = await startMailServer(t, { onMailFrom (address, session, done) { done(Object.assign(new Error('not yours'), { responseCode: 550 })) } })
  for (const [env, detail] of [
    [server.env, /refuses email from no-reply@id\.example: .*not yours.* Set MAIL_FROM/],
    [{ ...server.env, SMTP_URL: 'smtp://127.0.0.1:1' }, /Nothing listens on 127\.0\.0\.1:1/],
    [{}, /Email is not configured\. Set SMTP_URL/]
  ] as const) {
    const { add, as, stores } = await buildAdmin(t, env)
    const id = await add('root', 'administrator')
    await stores.profiles.change({ id }, { email: 'root@example.com', emailVerified: true })
    const answer = await (await as('root'))('POST', '/mail/test')
    t.equal(answer.statusCode, 409)
    t.match(answer.json().detail, detail)
    t.same(await stores.audit.list({ event: 'mail test' }, 5), [])
  }
})

t.test('whether email works: the server, and what became of the links of the last day', async t => {
  const { add, as, stores } = await buildAdmin(t, { SMTP_URL: 'smtps://desk:p%40ss@mail.example', MAIL_FROM: 'Desk <desk@id.example>' })
  await add('eve', 'auditor')
  const ann = (await stores.users.find('ann'))!.id
  const now = stores.clock.now()
  const mail = (outcome: string, hoursAgo: number) => {
    const at = new Date(now.getTime() - hoursAgo * 3_600_000)
    return { id: timeId(at), at, event: 'mail', outcome, userId: ann, clientId: null, source: '192.0.2.1', requestId: 'r1', details: {} }
  }
  await stores.audit.add([mail('failed', 25)])
  await stores.audit.add([mail('sent', 3), mail('failed', 2), mail('throttled', 1)])
  const answer = await (await as('eve'))('GET', '/mail')
  t.match(answer.json(), {
    server: 'mail.example:465', from: 'desk@id.example', lastDay: { sent: 1, failed: 1 }, failures: [{ username: 'ann', outcome: 'failed', requestId: 'r1' }]
  })
  t.notMatch(answer.body, /p@ss|p%40ss/)
})
