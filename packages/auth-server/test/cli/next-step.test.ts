import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { nextStep } from '../../src/cli/client/next-step.js'
import type { Client } from '../../src/oauth/client.js'
import { queryOf } from '../support/code-flow.js'
import { sqliteFile } from '../support/database.js'
import { build, Browser, client } from '../support/helper.js'
import { decide, DEVICE_CODE } from '../support/device-flow.js'
import { runBeside } from '../support/cli/frontdesk-auth.js'
import { runLoaded } from '../support/cli/loaded.js'

const ISSUER = 'https://id.example'
const CALLBACK = ['--callback', 'https://shop.example/a?b=it\'s', '--callback', 'https://shop.example/z']

/** A server, and the program on its database. */
async function setUp (t: Parameters<typeof build>[0]) {
  const { app, stores, databaseUrl } = await build(t)
  const address = await app.listen({ port: 0 })
  const add = async (...options: string[]) =>
    (await runBeside(['client', 'add', 'shop', '--name', 'Shop', ...options], { DATABASE_URL: databaseUrl, ISSUER })).stdout
  const shell = async (command: string, env: Record<string, string> = {}) => {
    const { stdout } = await promisify(execFile)('bash', ['-c', command.replaceAll(ISSUER, address)], {
      env: { PATH: process.env.PATH, ...env }
    })
    // as: it is checked by what is expected of it.
    return JSON.parse(stdout) as Record<string, unknown>
  }
  return { app, stores, add, shell }
}

const addressIn = (stdout: string) => /^ {2}https:\/\/id\.example\/authorize\?(\S+)$/m.exec(stdout)?.[1] ?? ''
const commandIn = (stdout: string) => /^ {2}(curl .*(?:\n {4}.*)*)$/m.exec(stdout)?.[1] ?? ''

const KINDS: Record<string, string[]> = {
  'a public app': [],
  'a confidential app': ['--confidential'],
  'an app that sends its secret in the form': ['--confidential', '--auth-method', 'client_secret_post'],
  'an app with a default scope': ['--default-scope', 'customer:write']
}
for (const [name, options] of Object.entries(KINDS)) {
  t.test(`${name} is registered for the code grant with PKCE, and what is printed next works as it is`, async t => {
    const { app, stores, add, shell } = await setUp(t)
    const stdout = await add(...CALLBACK, ...options)
    t.match(await stores.clients.find('shop'), { grantTypes: ['authorization_code'], implicit: 'off' })
    const answer = await new Browser(app).allow(addressIn(stdout))
    t.ok(String(answer.headers.location).startsWith("https://shop.example/a?b=it's&"))
    const SECRET = /shown only now: (\S+)/.exec(stdout)?.[1] ?? ''
    t.match(await shell(commandIn(stdout), { SECRET, CODE: queryOf(answer).code! }), {
      token_type: 'Bearer',
      scope: options.includes('customer:write') ? 'customer:write' : 'customer:read'
    })
  })
}

t.test('an app that must push its requests is shown how', async t => {
  const { app, add, shell } = await setUp(t)
  const stdout = await add(...CALLBACK, '--require-par')
  const [push = '', exchange = ''] = [...stdout.matchAll(/^ {2}(curl .*(?:\n {4}.*)*)$/gm)].map(([, command]) => command)
  const { request_uri: reference } = await shell(push)
  const [, address = ''] = /^ {2}echo "https:\/\/id\.example\/authorize\?(\S+)"$/m.exec(stdout) ?? []
  const answer = await new Browser(app).allow(address.replace('$REQUEST_URI', String(reference)))
  t.match(await shell(exchange, { CODE: queryOf(answer).code! }), { token_type: 'Bearer' })
})

t.test('every line that is no command and no address fits 80 columns', async t => {
  const { add } = await setUp(t)
  const stdout = await add(...CALLBACK, '--require-par')
  const kinds: Array<Partial<Client>> = [
    {}, { requirePushedAuthorizationRequests: true }, { grantTypes: [DEVICE_CODE], callbacks: [] }, { grantTypes: [], implicit: 'allowed' },
    { grantTypes: ['client_credentials'], callbacks: [], implicit: 'off' }
  ]
  for (const text of [stdout, ...kinds.map(kind => nextStep({ ...client({ grantTypes: ['authorization_code'] }), ...kind } as Client))]) {
    t.match(text, 'Next: ')
    t.strictSame(text.split('\n').filter(line => line.length > 80 && !line.startsWith('  ')), [])
  }
})

t.test('an app that must bind its tokens to a key is told to send a proof', async t => {
  const { add } = await setUp(t)
  t.match(await add(...CALLBACK, '--require-dpop'), /^ {4}--header "DPoP: \$PROOF"$/m)
})

t.test('an app that acts for itself', async t => {
  const { add, shell } = await setUp(t)
  const stdout = await add('--grant', 'client_credentials', '--confidential', '--default-scope', 'customer:write')
  t.match(await shell(commandIn(stdout), { SECRET: /shown only now: (\S+)/.exec(stdout)?.[1] ?? '' }), {
    token_type: 'Bearer',
    scope: 'customer:write'
  })
  t.match(
    nextStep(client({ implicit: 'off', callbacks: [], defaultScope: '', allowedScope: null, grantTypes: ['client_credentials'] }) as Client),
    'frontdesk-auth client update app --default-scope customer:read'
  )
})

t.test('an app on a device', async t => {
  const { app, stores, add, shell } = await setUp(t)
  const stdout = await add('--grant', DEVICE_CODE, '--default-scope', 'customer:write')
  t.match(await stores.clients.find('shop'), { grantTypes: [DEVICE_CODE], callbacks: [], implicit: 'off', tokenEndpointAuthMethod: 'none' })
  const [ask = '', get = ''] = [...stdout.matchAll(/^ {2}(curl .*(?:\n {4}.*)*)$/gm)].map(([, command]) => command)
  const codes = await shell(ask)
  await decide(new Browser(app), String(codes.user_code), 'allow')
  t.match(await shell(get, { DEVICE_CODE: String(codes.device_code) }), { token_type: 'Bearer', scope: 'customer:write' })
})

t.test('the implicit grant is for apps that ask for it', async t => {
  const { app, stores, add } = await setUp(t)
  const stdout = await add(...CALLBACK, '--grant', 'implicit')
  t.match(await stores.clients.find('shop'), { grantTypes: [], implicit: 'allowed' })
  t.match((await new Browser(app).allow(addressIn(stdout))).headers.location, /^https:\/\/shop\.example\/a\?b=it's#access_token=/)
})

t.test('the address is that of ISSUER, else of PORT; in production nothing is guessed', async t => {
  const databaseUrl = sqliteFile(t)
  const origin = (id: string, env: Record<string, string>) =>
    /^ {2}(.*)\/authorize\?/m.exec(
      runLoaded(['client', 'add', id, '--name', 'Shop', ...CALLBACK], { env: { DATABASE_URL: databaseUrl, ...env } }).stdout
    )?.[1]
  t.equal(origin('a', {}), 'http://localhost:3000')
  t.equal(origin('b', { PORT: '4000' }), 'http://localhost:4000')
  t.equal(origin('c', { ENVIRONMENT: 'production' }), 'https://ISSUER')
})
