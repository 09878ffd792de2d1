import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder, onDatabase, run } from '../../support/cli/frontdesk-auth.js'
import { codeQuery } from '../../support/code-flow.js'
import { Browser, build, CALLBACK } from '../../support/helper.js'
import { METADATA, pathOf, register, send } from '../../support/registration-flow.js'

/** What Cursor registers. */
const CURSOR = ['cursor://anysphere.cursor-mcp/oauth/callback', 'https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback']

t.test('an app registers callbacks of an admitted scheme, keeps them, and people see that they lead to their device', async t => {
  const { app } = await build(t, { REGISTRATION: 'open', CALLBACK_SCHEMES: 'cursor' })
  const answer = await register(app, { ...METADATA, redirect_uris: CURSOR, post_logout_redirect_uris: CURSOR.slice(0, 1) })
  t.match({ status: answer.statusCode, ...answer.json() }, { status: 201, application_type: 'native', post_logout_redirect_uris: CURSOR.slice(0, 1) })
  t.same(answer.json().redirect_uris.toSorted(), CURSOR.toSorted())
  const { client_id: id, registration_access_token: token } = answer.json()
  const changed = await send(app, 'PUT', pathOf(answer), { ...METADATA, client_id: id, redirect_uris: CURSOR }, token)
  t.equal(changed.statusCode, 200, changed.body)
  const page = await new Browser(app).get(`/consent?${codeQuery({ client_id: id, redirect_uri: CURSOR[0] })}`)
  t.match(page.body, 'You will return to <strong class="host">an app on this device (cursor:…)')
  t.notMatch(page.body, /<strong[^>]*>[^<]*anysphere/)
})

t.test('of several callbacks, the refused ones are named with the reason, at registration and at a change', async t => {
  const { app } = await build(t, { REGISTRATION: 'open' })
  const registered = await register(app)
  const { client_id: id, registration_access_token: token } = registered.json()
  const refusalsOf = async (uris: string[]) => {
    const answers = [
      await register(app, { ...METADATA, redirect_uris: uris }),
      await send(app, 'PUT', pathOf(registered), { ...METADATA, client_id: id, redirect_uris: uris }, token)
    ]
    for (const { statusCode, body } of answers) {
      t.equal(statusCode, 400)
      t.equal(JSON.parse(body).error, 'invalid_redirect_uri')
      t.match(JSON.parse(body).error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,1000}$/)
      t.equal(body, answers[0]!.body)
    }
    return answers[0]!.json().error_description
  }
  const why = 'The scheme of the callback must be https, or http for loopback, or a private one with a dot in it, such as com.example.app (RFC 8252 section 7.1).'
  t.equal(await refusalsOf(CURSOR), `redirect_uris[0] (cursor://anysphere.cursor-mcp/oauth/callback): ${why}`)
  t.equal(await refusalsOf([CALLBACK, CALLBACK, 'x:/y', CALLBACK, 'http://app.example/']),
    `redirect_uris[2] (x:/y): ${why} redirect_uris[4] (http://app.example/): The callback must be https; http is for loopback hosts only.`)
  t.match(await refusalsOf([CALLBACK, '"><script>\\\r\n\u202e\ud800']), /^redirect_uris\[1\] \(%22><script>%5C%0D%0A%E2%80%AE%EF%BF%BD\): The callback holds/)
  t.match(await refusalsOf([`https://app.example/${'"'.repeat(3_000)}`]), /^redirect_uris\[0\] \(https:\/\/app\.example\/(%22){26}%2\.\.\.\): The callback is longer/)
  t.equal((await refusalsOf(Array.from({ length: 20 }, (_, i) => `x${i}:/`))).match(/redirect_uris\[\d+\]/g).length, 3, 'the first three')
})

t.test('client add and update, and apply, know the schemes of the setting', async t => {
  const { cli, stores, env } = await onDatabase(t)
  const file = join(folder(t), 'clients.json')
  writeFileSync(file, JSON.stringify({ clients: [{ clientId: 'filed', name: 'Filed', callbacks: CURSOR, implicit: 'off', grantTypes: ['authorization_code'] }] }))
  const callbacks = CURSOR.flatMap(uri => ['--callback', uri])
  const commands = [['client', 'add', 'cursor', '--name', 'Cursor', ...callbacks], ['client', 'update', 'cursor', ...callbacks], ['apply', '-f', file]]
  await stores.clients.add({ id: 'cursor', name: 'x', callbacks: [CALLBACK], resources: [], defaultScope: '', accessTokenTtl: null, implicit: 'off', demo: false })
  for (const args of commands) t.match(cli(args), { code: 1, stderr: /cursor:\/\/anysphere.*The scheme of the callback/s }, args.join(' '))
  await stores.clients.remove('cursor')
  const with_ = (args: string[], schemes: string) => run(args, { env: { ...env, CALLBACK_SCHEMES: schemes } })
  for (const args of commands) {
    t.match(with_(args, 'http'), { code: 1, stderr: /^CALLBACK_SCHEMES must be / }, args.join(' '))
    t.match(with_(args, 'cursor'), { code: 0 }, args.join(' '))
  }
  for (const id of ['cursor', 'filed']) t.same((await stores.clients.find(id))?.callbacks, CURSOR.toSorted())
})
