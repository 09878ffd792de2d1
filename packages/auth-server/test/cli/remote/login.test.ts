import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { nowhere, standIn } from '../../support/cli/examine.js'
import { atTerminal, folder, hasTerminal, runBeside, type Run } from '../../support/cli/frontdesk-auth.js'
import { openServer } from '../../support/cli/remote.js'

const skip = hasTerminal ? false : 'There is no `script` of util-linux. On Debian: apt-get install bsdutils'
const refused = (stderr: string): Run => ({ code: 1, stdout: '', stderr: `${stderr}\n` })

t.test('login signs in by the device page, commands use the token, logout revokes it', async t => {
  const { issuer, laptop, file, login, output } = await openServer(t)
  const list = async () => await runBeside(['user', 'list', '--json', '--server', issuer], laptop)
  const notSignedIn = refused(`You are not signed in at ${issuer}. Run frontdesk-auth login --server ${issuer}`)
  t.same(await list(), notSignedIn)

  t.match(await login('deny'), { code: 1, stderr: 'Access was denied. Nothing has changed on this computer.\n' })
  t.match(await login(), { code: 0, stdout: new RegExp(`\nSigned in at ${issuer}\\.\n$`), stderr: '' })
  if (process.platform !== 'win32') t.equal(statSync(file).mode & 0o777, 0o600)
  const { accessToken, resource, refreshToken } = JSON.parse(readFileSync(file, 'utf8'))
  t.same([resource, refreshToken], [`${issuer}/admin/api`, undefined])
  const listed = await list()
  t.match(JSON.parse(listed.stdout), [{ username: 'root' }])
  t.notMatch(`${listed.stdout}${listed.stderr}${output()}`, accessToken)
  t.match(await runBeside(['user', 'list', '--json'], { ...laptop, FRONTDESK_SERVER: `${issuer}/` }), { code: 0 }, 'the variable, with a slash')

  const other = await runBeside(['user', 'list', '--server', 'https://other.example'], laptop)
  t.same(other, refused('You are not signed in at https://other.example. Run frontdesk-auth login --server https://other.example'))

  const kept = readFileSync(file, 'utf8')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(kept), endsAt: Date.now() }))
  t.same(await list(), refused(`Your sign-in at ${issuer} has expired. Run frontdesk-auth login --server ${issuer}`))

  writeFileSync(file, kept)
  t.match(await runBeside(['logout'], laptop), { code: 0, stdout: `Signed out of ${issuer}.\n` })
  t.same(await list(), notSignedIn)
  writeFileSync(file, kept)
  t.same(await list(), refused(`Your sign-in at ${issuer} has expired or was revoked. Run frontdesk-auth login --server ${issuer}`))
})

t.test('a server that cannot be administered so is refused with a sentence', async t => {
  const laptop = { XDG_CONFIG_HOME: folder(t) }
  const login = async (server: string) => (await runBeside(['login', '--server', server], laptop)).stderr
  const lying = await createLying(t)
  t.match(await login('http://login.example'), /^The issuer \(--server or FRONTDESK_SERVER\) must begin with https:\/\/: /)
  const away = await nowhere()
  t.match(await login(away), `The server at ${away}/ cannot be reached: nothing listens on `)
  lying.metadata({ issuer: 'https://login.example' })
  t.equal(await login(lying.issuer), `The server at ${lying.issuer}/ is the issuer https://login.example. Sign in there, with login --server.\n`)
  lying.metadata({ protected_resources: undefined })
  t.equal(await login(lying.issuer), `${lying.issuer} has no administration API. To turn it on: ADMIN=true\n`)
  lying.metadata({ protected_resources: ['http://login.example/admin/api'] })
  t.match(await login(lying.issuer), /^The administration API of .* must begin with https:\/\//)
  t.match(await runBeside(['login'], laptop), { code: 2, stderr: /name the server: frontdesk-auth login --server <issuer>/ })
})

t.test('a command without the API needs the database', async t => {
  const sentence = 'This command needs the database. Run it where DATABASE_URL is set, without --server and FRONTDESK_SERVER.'
  t.same(await runBeside(['serve', '--server', 'https://login.example'], {}), refused(sentence))
  t.match(await runBeside(['completion', 'bash', '--server', 'https://login.example'], {}), { code: 0, stdout: /--server/ })
})

t.test('failures of the API are sentences, without the token', async t => {
  const { issuer, answer, metadata } = await createLying(t)
  metadata({})
  const laptop = { XDG_CONFIG_HOME: folder(t) }
  t.match(await runBeside(['login', '--server', issuer], laptop), { code: 0 })
  const keys = async () => await runBeside(['keys', 'list', '--server', issuer], laptop)
  const problem = { title: 'Not now.', detail: 'The server is \u001b[2Jbusy. Try again later.' }
  for (const [status, body, sentence] of [
    [503, JSON.stringify(problem), 'The server is [2Jbusy. Try again later.'],
    [403, JSON.stringify({ title: 'No.', detail: 'This needs the role administrator.' }), 'This needs the role administrator.'],
    [409, JSON.stringify({ errors: [{ field: 'kid', detail: 'No key.' }, { field: 'x', detail: 'No x.' }] }), 'No key.\nNo x.'],
    [302, '', 'The server answered with status 302.'],
    [502, '<html>', 'The server answered with status 502.']
  ] as const) {
    answer(status, body)
    t.same(await keys(), refused(sentence))
  }
  answer(401, '', 'Bearer error="insufficient_user_authentication", max_age="600"')
  t.same(await keys(), refused(`This needs a sign-in within the last ten minutes. Run frontdesk-auth login --server ${issuer}`))
  answer(0, '')
  t.match(await keys(), { code: 1, stderr: /^The administration API at / })
})

t.test('at a terminal, a command signs in again and goes on', { skip }, async t => {
  const { issuer, answer, metadata, next, requests } = await createLying(t)
  metadata({})
  const env = { XDG_CONFIG_HOME: folder(t) }
  await runBeside(['login', '--server', issuer], env)
  answer(401, '', 'Bearer error="insufficient_user_authentication", max_age="600"')
  const out = join(folder(t), 'out')
  const { code, screen } = await atTerminal(`keys list --json --server ${issuer}`, env, [
    ['enter the code', () => answer(200, JSON.stringify({ items: [] }))]
  ], out)
  t.equal(code, 0, screen)
  t.match(screen, /^This needs a sign-in within the last ten minutes\.\r\nOpen \S+\/device and enter the code BCDF-GHJK\r\n/)
  t.same(JSON.parse(readFileSync(out, 'utf8')), [])
  t.match(requests.filter(({ url }) => url === '/device_authorization').at(-1)?.body, /resource=http.*%2Fadmin%2Fapi/)

  const file = join(env.XDG_CONFIG_HOME, 'frontdesk', 'auth.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), endsAt: Date.now() }))
  const expired = await atTerminal(`keys list --json --server ${issuer}`, env, [], out)
  t.match(expired, { code: 0, screen: /^Your sign-in at \S+ has expired\.\r\nOpen / })

  answer(401, '', 'Bearer error="invalid_token"')
  const refusedAgain = await atTerminal(`keys list --server ${issuer}`, env, [])
  t.match(refusedAgain, { code: 1, screen: /has expired or was revoked\.\r\nOpen [^]*\r\nThe server answered with status 401\.\r\n$/ }, 'once')

  await atTerminal(`role add editor --scopes customers:write --server ${issuer}`, env, [])
  const [first, again] = requests.filter(({ url }) => url === '/admin/api/roles').map(({ key }) => key)
  t.match(first, /^[0-9a-f-]{36}$/)
  t.equal(again, first, 'a creation that is sent again has the same Idempotency-Key')

  const signIns = () => requests.filter(({ url }) => url === '/device_authorization').length
  const before = signIns()
  answer(200, JSON.stringify({ id: 'u', username: 'ann', items: [], trustedBrowsers: [] }))
  next([200, { items: [{ id: 'u' }] }], [401, {}], [401, {}], [401, {}], [401, {}])
  t.match(await atTerminal(`user show ann --json --server ${issuer}`, env, [], out), { code: 0 })
  t.match(JSON.parse(readFileSync(out, 'utf8')), { username: 'ann', sessions: 0, clients: [] })
  t.equal(signIns(), before + 1, 'concurrent requests share a sign-in')
})

t.test('a command waits if the server limits requests, unless that takes long', async t => {
  const { issuer, metadata, requests, next } = await createLying(t)
  metadata({})
  const laptop = { XDG_CONFIG_HOME: folder(t) }
  await runBeside(['login', '--server', issuer], laptop)
  const keys = async () => await runBeside(['keys', 'list', '--json', '--server', issuer], laptop)
  const limited = { title: 'Too many requests', detail: 'Try again later.' }
  next([429, limited, { 'retry-after': '1' }], [429, limited, { 'retry-after': '0' }], [200, { items: [] }])
  t.same(await keys(), { code: 0, stdout: '[]\n', stderr: '' })
  t.equal(requests.filter(({ url }) => url === '/admin/api/keys').length, 3)
  for (const headers of [{ 'retry-after': '3600' }, { 'retry-after': 'soon' }, {}]) {
    next([429, limited, headers])
    t.same(await keys(), refused('Try again later.'), JSON.stringify(headers))
  }
})

t.test('a change is tried again if someone else changes the client in the meantime', async t => {
  const { issuer, metadata, requests, next } = await createLying(t)
  metadata({})
  const laptop = { XDG_CONFIG_HOME: folder(t) }
  await runBeside(['login', '--server', issuer], laptop)
  const ann = { id: 'u', username: 'ann', roles: ['a'] }
  const [list, changed] = [{ items: [ann] }, { ...ann, roles: ['a', 'b'] }]
  const lost = { errors: [{ field: 'If-Match', detail: 'Someone else has changed it.' }] }
  next([200, list], [200, ann], [412, lost], [200, changed], [200, changed])
  const { code, stderr } = await runBeside(['user', 'update', 'ann', '--add-role', 'c', '--server', issuer], laptop)
  t.same([code, stderr], [0, ''])
  const bodies = requests.filter(({ url, body }) => url === '/admin/api/users/u' && body !== '').map(({ body }) => JSON.parse(body))
  t.same(bodies, [{ roles: ['a', 'c'] }, { roles: ['a', 'b', 'c'] }])
})

/** A server that signs in everyone, and answers each request of its API in the same way. */
async function createLying (t: Test) {
  const requests: Array<{ url: string, body: string, key: string | string[] | undefined }> = []
  const answers = new Map<string, object>()
  const queue: Array<[status: number, body: object, headers?: Record<string, string>]> = []
  let [status, body, challenge] = [200, '{}', '']
  const issuer: string = await standIn(t, (request, response) => {
    let sent = ''
    request.on('data', part => { sent += String(part) }).on('end', () => {
      const [url = '', answer] = [request.url, answers.get(request.url ?? '')]
      requests.push({ url, body: sent, key: request.headers['idempotency-key'] })
      if (answer !== undefined) return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      const given = queue.shift()
      if (given !== undefined) return response.writeHead(given[0], { 'content-type': 'application/json', ...given[2] }).end(JSON.stringify(given[1]))
      if (status === 0) return request.socket.destroy()
      return response.writeHead(status, { 'content-type': 'application/json', ...challenge && { 'www-authenticate': challenge } }).end(body)
    })
  })
  answers.set('/device_authorization', { device_code: 'x', user_code: 'BCDF-GHJK', verification_uri: `${issuer}/device`, expires_in: 600, interval: 0.5 })
  answers.set('/token', { access_token: 'theirs', token_type: 'bearer', expires_in: 600 })
  answers.set('/revoke', {})
  return {
    issuer,
    requests,
    metadata (changes: object) {
      const endpoints = Object.fromEntries(['token', 'device_authorization', 'revoke'].map(it => [`${it === 'revoke' ? 'revocation' : it}_endpoint`, `${issuer}/${it}`]))
      answers.set('/.well-known/openid-configuration', { issuer, ...endpoints, protected_resources: [`${issuer}/admin/api`], ...changes })
    },
    next: (...given: typeof queue) => queue.push(...given),
    answer (given: number, text: string, header = '') { [status, body, challenge] = [given, text, header] }
  }
}
