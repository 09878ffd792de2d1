import { start } from '@frontdesk/auth-server/testing'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import t from 'tap'
import { buildOnce, PATH } from '../support/helper.js'
import { nowhere, standIn } from '../support/cli/frontdesk-customer.js'
import { person } from '../support/cli/person.js'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const NOT_SIGNED_IN = 'You are not signed in. Run frontdesk-customer login.\n'

const server = await start()
t.teardown(() => server.close())
await server.addPerson({ username: 'erika' })
await server.addClient({ id: 'frontdesk-customer', name: 'Customer register', grantTypes: [DEVICE, 'refresh_token'] })

/** A server that answers what a test wants. */
const answers = new Map<string, object>()
const lying = await standIn(t, (request, response) => {
  const answer = answers.get(request.url!) ?? { error: 'not_found' }
  response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer))
})
const metadata = { issuer: lying, token_endpoint: `${lying}/token`, device_authorization_endpoint: `${lying}/device_authorization` }
const codes = { device_code: 'x', user_code: 'BCDF-\u001b[2JGHJK', verification_uri: `${lying}/device`, expires_in: 600, interval: 0.001 }
function lies (changes: object, token: object = {}, asked: object = {}): void {
  answers.set('/.well-known/openid-configuration', { ...metadata, ...changes })
  answers.set('/device_authorization', { ...codes, ...asked })
  answers.set('/token', token)
}

const [erika, denied] = [await person(t, server), await person(t, server)]

t.test('a person signs in; another one denies', async t => {
  const [allow, deny] = await Promise.all([erika.login('allow'), denied.login('deny')])
  const shown = (output: string) => output.replace(/[A-Z]{4}-[A-Z]{4}/, 'CODE')
  const code = `Open ${server.issuer}/device and enter the code CODE\n`
  t.same({ ...allow, stdout: shown(allow.stdout) }, { code: 0, stdout: `${code}Signed in as erika at ${server.issuer}.\n`, stderr: '' })
  t.same({ ...deny, stdout: shown(deny.stdout) }, { code: 1, stdout: code, stderr: 'Access was denied. Nothing has changed on this computer.\n' })
  t.same(await denied.command('token'), { code: 1, stdout: '', stderr: NOT_SIGNED_IN })
  t.same(await denied.command('logout'), { code: 0, stdout: 'You are not signed in.\n', stderr: '' })

  t.same((await readdir(dirname(erika.file))).sort(), ['customer.json', 'customer.lock'])
  if (process.platform !== 'win32') {
    t.equal((await stat(erika.file)).mode & 0o777, 0o600)
    t.equal((await stat(dirname(erika.file))).mode & 0o777, 0o700)
  }
})

t.test('token prints an access token that the API accepts; four at once refresh it once', async t => {
  const AUDIENCE = 'http://localhost:3001'
  const { issuer: ISSUER, jwksUrl: JWKS_URL, revocationsUrl: REVOCATIONS_URL } = server
  const { send } = await buildOnce(t, { ISSUER, JWKS_URL, REVOCATIONS_URL, AUDIENCE })
  const { stdout: first } = await erika.command('token')
  t.match(first, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  t.equal((await send('GET', `${PATH}/1`, { token: first.trim() })).statusCode, 404)
  t.equal((await erika.command('token')).stdout, first, 'as long as it is valid')

  await erika.wait()
  const printed = await Promise.all(Array.from({ length: 4 }, () => erika.command('token')))
  t.same(new Set(printed.map(({ stderr }) => stderr)), new Set(['']))
  const tokens = [...new Set(printed.map(({ stdout }) => stdout))]
  t.equal(tokens.length, 1)
  t.not(tokens[0], first)
  await erika.wait()
  const { stdout: next } = await erika.command('token')
  t.equal((await send('GET', `${PATH}/1`, { token: next.trim() })).statusCode, 404)
})

const ended = { code: 1, stdout: '', stderr: `Your sign-in at ${server.issuer} has expired or was revoked. Run frontdesk-customer login again.\n` }

t.test('logout revokes the tokens and removes the file', async t => {
  const kept = await readFile(erika.file, 'utf8')
  t.same(await erika.command('logout'), { code: 0, stdout: `Signed out of ${server.issuer}.\n`, stderr: '' })
  t.same(await erika.command('token'), { code: 1, stdout: '', stderr: NOT_SIGNED_IN })

  await writeFile(erika.file, kept)
  await erika.wait()
  t.same(await erika.command('token'), ended, 'the refresh token is of no use to a thief')

  const away = await nowhere()
  await writeFile(erika.file, JSON.stringify({ ...JSON.parse(kept), issuer: away }))
  const { host } = new URL(away)
  t.same(await erika.command('logout'), {
    code: 1,
    stdout: '',
    stderr: 'You are signed out on this computer, but your access was not revoked. ' +
      `The server at ${away}/ cannot be reached: nothing listens on ${host}. Start it, or correct host and port in login --issuer. ` +
      `Inside a container, localhost is that container alone.\nTo end it, remove the app at ${away}/account.\n`
  })
  t.same(await readdir(dirname(erika.file)), ['customer.lock'])

  await writeFile(erika.file, '{"issuer":')
  t.same((await erika.command('token')).stderr, `${erika.file} is damaged. Remove it, and sign in again with frontdesk-customer login.\n`)
  t.match((await erika.command('logout')).stderr, /^The file with your sign-in was damaged\. It was removed\. /)
})

t.test('what keeps a person from signing in is said, with what to do', async t => {
  const { command } = await person(t, server)
  await server.addClient({ id: 'no-device' })
  const register = (id: string) => `Register it there: frontdesk-auth client add ${id} --name 'Customer register' ` +
    '--grant urn:ietf:params:oauth:grant-type:device_code --grant refresh_token\n'
  const cases: Array<[args: string[], sentence: string, prepare?: () => void]> = [
    [['--issuer', 'http://login.example'],
      'The issuer (--issuer or ISSUER) must begin with https://: http://login.example is not on this computer, and others could read the tokens in transit.\n'],
    [['--issuer', 'login.example'], 'The issuer (--issuer or ISSUER) must be an https address, such as https://login.example.\n'],
    [['--issuer', server.issuer, '--client-id', 'none'], `${server.issuer} has no client none. ${register('none')}`],
    [['--issuer', server.issuer, '--client-id', 'no-device'], `no-device cannot sign in devices at ${server.issuer}. Use another client. ${register('frontdesk-customer')}`],
    [['--issuer', lying], `The server at ${lying}/ is the issuer https://login.example. Sign in there, with login --issuer.\n`,
      () => lies({ issuer: 'https://login.example' })],
    [['--issuer', lying], `${lying} cannot sign in devices: it has no device authorization grant (RFC 8628).\n`,
      () => lies({ device_authorization_endpoint: undefined })],
    [['--issuer', lying], `The server at ${lying}/ has more than 64 KiB. Check the path of login --issuer.\n`, () => lies({ x: 'x'.repeat(65_536) })],
    [['--issuer', `${lying}/a`], `The server at ${lying}/a answers with status 400. Check the path of login --issuer, ` +
      'and what a proxy in front of it does with that path.\n'],
    [['--issuer', lying], 'The code expired before access was allowed. Run frontdesk-customer login again.\n',
      () => lies({}, { error: 'expired_token' })],
    [['--issuer', lying], 'The code expired before access was allowed. Run frontdesk-customer login again.\n',
      () => lies({}, { error: 'authorization_pending' }, { expires_in: 0.1 })],
    [['--issuer', lying], `${lying} returned a token with invalid characters (RFC 6749 appendix A).\n`,
      () => lies({}, { access_token: 'a\u001b[1m\r\nX-Injected: 1', token_type: 'bearer' })],
    [['--issuer', lying], `You are not signed in at ${lying}. ${lying} answered: Not [1mtoday.\n`,
      () => lies({}, { error: 'invalid_request', error_description: 'Not \u001b[1mtoday.' })]
  ]
  for (const [args, sentence, prepare] of cases) {
    prepare?.()
    const { code, stderr, stdout } = await command('login', ...args)
    t.same([code, stderr], [1, sentence])
    t.notMatch(stdout, '\u001b', 'no control character of another server reaches the terminal')
  }
})

t.test('a folder that cannot be used is found out before anyone is asked', async t => {
  const { command, file } = await person(t, server)
  await writeFile(dirname(file), 'not a folder')
  const { code, stdout, stderr } = await command('login', '--issuer', server.issuer)
  t.same([code, stdout], [1, ''])
  t.match(stderr, new RegExp(`^Cannot store the sign-in in ${dirname(file)}: .* Fix that, or set XDG_CONFIG_HOME to another folder\\.\n$`))
})

t.test('a sign-in in place of another one revokes the tokens of the first', async t => {
  const kept = await erika.login('allow').then(() => readFile(erika.file, 'utf8'))
  lies({}, { access_token: 'theirs', token_type: 'bearer' })
  const { code, stdout } = await erika.command('login', '--issuer', lying)
  t.same([code, stdout.split('\n')[1]], [0, `Signed in at ${lying}.`])
  t.equal((await erika.command('token')).stdout, 'theirs\n', 'the server has not said when it ends')
  await writeFile(erika.file, kept)
  await erika.wait()
  t.same(await erika.command('token'), ended)
})
