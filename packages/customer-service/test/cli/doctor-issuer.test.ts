import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { makeKey } from '../support/issuer.js'
import { nowhere, run, standIn } from '../support/cli/frontdesk-customer.js'

const key = await makeKey('a', 'ES256')
const rsa = await makeKey('b', 'RS256')

/** An authorization server that is well, but for what a row changes. */
interface Row {
  name: string
  /** Settings in addition to ISSUER, AUDIENCE and DATABASE_URL; `AT` is the address of the server. */
  env?: Record<string, string>
  keys?: object[]
  metadata?: (issuer: string) => object
  headers?: Record<string, string>
  /** Answers in place of the rest. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void
  code: number
  /** In order, as they begin; `AT` is the address of the server, without its scheme. */
  lines: string[]
}

const isJwks = ({ url = '' }: IncomingMessage) => url.endsWith('jwks.json')
const page = (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Sign in</title>')

const rows: Row[] = [{
  name: 'an installation that fits',
  code: 3,
  lines: ['✓ The issuer of the authorization server is http://AT, as in ISSUER.', '✓ The key set at http://AT/.well-known/jwks.json has a key that can be read.', '✓ Its keys are for ES256, which SIGNING_ALGS allows.', '✓ The clock of the authorization server agrees', '✓ The authorization server publishes revocations at http://AT/revocations.', '? Only a token shows whether the authorization server sets aud to AUDIENCE (https://customers.example).', '    Compare it with DEFAULT_AUDIENCE of auth-server', '! There is no database']
}, {
  name: 'ISSUER wrong by a slash',
  env: { ISSUER: 'AT/' },
  code: 1,
  lines: ['✗ The issuer of the authorization server is http://AT, but ISSUER is http://AT/: they differ by the slash at the end. Every token is refused.', '    Set ISSUER=http://AT', '✓ The key set']
}, {
  name: 'an issuer with a path, asked where RFC 8414 §3.1 puts its metadata',
  env: { ISSUER: 'AT/id/main' },
  metadata: issuer => ({ issuer: `${issuer}/id/main` }),
  code: 3,
  lines: ['✓ The issuer of the authorization server is http://AT/id/main', '✓ The key set at http://AT/id/main/.well-known/jwks.json']
}, {
  name: 'a public address that is out of reach, keys inside, and an issuer that fits',
  env: { ISSUER: 'https://login.invalid', JWKS_URL: 'AT/.well-known/jwks.json' },
  metadata: () => ({ issuer: 'https://login.invalid' }),
  code: 3,
  lines: ['? The metadata of the authorization server at https://login.invalid/.well-known/oauth-authorization-server cannot be reached: the name login.invalid is unknown here.', '    The internal address http://AT/.well-known/oauth-authorization-server answers.', '✓ The issuer of the authorization server is https://login.invalid', '✓ The key set at http://AT/.well-known/jwks.json']
}, {
  name: 'a wrong path in JWKS_URL: the metadata knows the right one',
  env: { JWKS_URL: 'AT/keys' },
  metadata: issuer => ({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json` }),
  code: 1,
  lines: ['✗ The key set at http://AT/keys answers with status 404.', '    The metadata says that it is at http://AT/.well-known/jwks.json: try JWKS_URL=http://AT/.well-known/jwks.json']
}, {
  name: 'a page in place of the keys',
  answer: (request, response) => { page(response) },
  code: 1,
  lines: ['! The metadata of the authorization server at http://AT/.well-known/oauth-authorization-server is a page (HTML, status 200) and not JSON. Whether ISSUER is right could not be checked.', '    Something else answers there', '✗ The key set at http://AT/.well-known/jwks.json is a page (HTML, status 200) and not JSON.', '    Something else answers there: a proxy, a sign-in page, an app.']
}, {
  name: 'a redirect, with what would move the cursor',
  answer: (request, response) => { response.writeHead(302, { Location: 'https://www.example/\u009b2J' }).end() },
  code: 1,
  lines: ['✗ The key set at http://AT/.well-known/jwks.json leads elsewhere, to https://www.example/\\u009b2J, and redirects are not followed.']
}, {
  name: 'no keys',
  keys: [],
  code: 1,
  lines: ['✗ The key set at http://AT/.well-known/jwks.json holds no keys.']
}, {
  name: 'keys for an algorithm that SIGNING_ALGS leaves out',
  env: { SIGNING_ALGS: 'RS256' },
  code: 1,
  lines: ['✗ All of its keys are for ES256, but SIGNING_ALGS is RS256. Every token is refused.', '    Set SIGNING_ALGS=ES256']
}, {
  name: 'one of two keys for such an algorithm',
  env: { SIGNING_ALGS: 'ES256' },
  keys: [key.jwk, rsa.jwk],
  code: 3,
  lines: ['✓ The key set at http://AT/.well-known/jwks.json has 2 keys that can be read.', '! Some of its keys are for RS256, but SIGNING_ALGS is ES256. Their tokens are refused.']
}, {
  name: 'keys without kid, with a private half, and out of shape',
  keys: [{ ...key.jwk, kid: undefined }, { ...key.jwk, kid: 'open', d: 'AAAA' }, { ...key.jwk, kid: 'cut', x: 'AAAA' }],
  code: 1,
  lines: ['✗ The key of type EC has no kid', '    Fix it', '✗ The key open is published with its private part: anyone can sign tokens with it.', '    Fix it', '✗ The key cut cannot be read.']
}, {
  name: 'a clock 90 s behind',
  headers: { Date: new Date(Date.now() - 90_000).toUTCString() },
  code: 1,
  lines: ['✗ The clock of the authorization server is']
}, {
  name: 'keys over plain http from elsewhere, in production',
  env: { ENVIRONMENT: 'production', JWKS_URL: 'ANYWHERE/.well-known/jwks.json' },
  code: 3,
  lines: ['! JWKS_URL is http: an attacker on the network can answer with other keys.']
}, {
  name: 'a server that closes every connection',
  answer: request => { request.socket.destroy() },
  code: 1,
  lines: ['✗ The key set at http://AT/.well-known/jwks.json cannot be reached: the connection was closed without a response.', '    If AT speaks TLS, set ISSUER or JWKS_URL to https://; else look into its log.']
}, {
  name: 'a plain server where TLS is spoken to it',
  env: { JWKS_URL: 'https://AT/.well-known/jwks.json' },
  code: 1,
  lines: ['✗ The key set at https://AT/.well-known/jwks.json cannot be reached: AT does not speak TLS, or no version that we support.']
}]

for (const { name, env = {}, keys = [key.jwk], metadata = (issuer: string) => ({ issuer }), headers = {}, answer, code, lines } of rows) {
  t.test(name, async t => {
    const at = await standIn(t, (request, response) => {
      if (answer !== undefined) return answer(request, response)
      const document = isJwks(request) ? { keys } : request.url?.endsWith('/revocations') ? { revoked: [], next: '0', more: false } : request.url?.startsWith('/.well-known/oauth-authorization-server') ? metadata(at) : undefined
      response.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(document))
    })
    const settings = Object.entries({ ISSUER: at, ...env }).map(([name, value]) => [name, value.replace('ANYWHERE', at.replace('127.0.0.1', '0.0.0.0')).replace('https://AT', `https://${at.slice(7)}`).replace('AT', at)])
    const { stdout, ...rest } = await run(['doctor'], { AUDIENCE: 'https://customers.example', DATABASE_URL: `file:${join(tmpdir(), 'none.db')}`, ...Object.fromEntries(settings) })
    t.strictSame(rest, { code, stderr: '' }, stdout)
    const told = stdout.replaceAll(at.slice(7), 'AT').split('\n')
    const first = told.findIndex(line => line.startsWith(lines[0]!))
    lines.forEach((line, index) => t.ok(told[first + index]?.startsWith(line), `${line}\n\n${stdout}`))
  })
}

t.test('nothing listens there: the first thing to hear of', async t => {
  const ISSUER = await nowhere()
  const { code, stdout } = await run(['doctor'], { ISSUER, DATABASE_URL: 'file:/nowhere/none.db' })
  t.equal(code, 1)
  t.match(stdout, `✗ The key set at ${ISSUER}/.well-known/jwks.json cannot be reached: nothing listens on ${ISSUER.slice(7)}.\n    Start it, or correct host and port in ISSUER or JWKS_URL.`)
})
