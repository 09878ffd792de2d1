import type { ServerResponse } from 'node:http'
import t from 'tap'
import type { Finding } from '@frontdesk/service-kit/doctor/finding'
import { checkIssuer } from '../../src/cli/doctor/issuer.js'
import { checkProxy } from '../../src/cli/doctor/proxy.js'
import { examine, nowhere, standIn } from '../support/cli/examine.js'

const json = (response: ServerResponse, document: object, headers = {}) =>
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(document))

/** What is found at a public address that answers like this, a sign and a sentence each. */
async function found (issuer: string, kids?: string[]): Promise<string[]> {
  const all: Finding[] = []
  for await (const finding of checkIssuer({ issuer }, kids)) all.push(finding)
  return all.map(({ state, sentence }) => `${state}: ${sentence}`.replaceAll(issuer, 'ISSUER'))
}

t.test('what answers at the public address is a sentence each', async t => {
  const metadata = 'The metadata at ISSUER/.well-known/oauth-authorization-server'
  const rows: Array<[name: string, answer: (response: ServerResponse, issuer: string) => void, sentence: string]> = [
    [
      'another issuer',
      (response, issuer) => json(response, { issuer: `${issuer}/` }),
      'wrong: The issuer at the public address is ISSUER/, but ISSUER is ISSUER.'
    ],
    [
      'an object without issuer',
      response => json(response, []),
      'wrong: The issuer at the public address is undefined, but ISSUER is ISSUER.'
    ],
    [
      'a page',
      response => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hi'),
      `wrong: ${metadata} is a page (HTML, status 200) and not JSON.`
    ],
    [
      'a page that says no',
      response => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway'),
      `wrong: ${metadata} is a page (HTML, status 502) and not JSON.`
    ],
    ['no path', response => response.writeHead(404).end(), `wrong: ${metadata} answers with status 404.`],
    [
      'a redirect',
      response => response.writeHead(301, { Location: 'https://www.example/' }).end(),
      `wrong: ${metadata} leads elsewhere, to https://www.example/, and redirects are not followed.`
    ],
    ['text', response => response.end('ok'), `wrong: ${metadata} is not JSON.`],
    ['nothing', response => response.destroy(), `warning: ${metadata} cannot be reached: the connection was closed without a response.`],
    [
      'a clock 90 s behind',
      (response, issuer) => json(response, { issuer, keys: [] }, { Date: new Date(Date.now() - 90_000).toUTCString() }),
      'wrong: The clock of ISSUER is 90 s behind this machine\'s, and 60 s are allowed: new access tokens are refused, or expired ones accepted.'
    ],
    [
      'a cache that is 90 s old',
      (response, issuer) => json(response, { issuer, keys: [] }, { Date: new Date(Date.now() - 90_000).toUTCString(), Age: '90' }),
      'ok: The clock of ISSUER agrees with this machine\'s.'
    ],
    [
      'the keys of another database',
      (response, issuer) => json(response, { issuer, keys: [{ kid: 'other' }] }),
      'wrong: The key set at the public address lacks 1 of 1 keys of this database.'
    ],
    [
      'our keys',
      (response, issuer) => json(response, { issuer, keys: [{ kid: 'kid' }] }),
      'ok: The key set at the public address matches this database.'
    ]
  ]
  for (const [name, answer, sentence] of rows) {
    let issuer = ''
    issuer = await standIn(t, (request, response) => answer(response, issuer))
    const sentences = await found(issuer, ['kid'])
    t.ok(sentences.some(it => it.replace(/\b(89|91) s/, '90 s') === sentence), `${name}: ${sentences.join('\n')}`)
  }
  t.match(await found(await nowhere()), [/^warning: The metadata at ISSUER\S+ cannot be reached: nothing listens on 127\.0\.0\.1:\d+\.$/])
})

t.test('an issuer with a path is asked where RFC 8414 §3.1 puts its metadata', async t => {
  const asked: string[] = []
  const origin = await standIn(t, (request, response) => {
    asked.push(request.url ?? '')
    json(response, { issuer: `${origin}/a/b`, keys: [] })
  })
  t.match(await found(`${origin}/a/b`), ['ok: ISSUER serves the metadata of this issuer.'])
  t.same(asked, ['/.well-known/oauth-authorization-server/a/b', '/a/b/.well-known/jwks.json'])
})

t.test('TRUST_PROXY is checked as far as possible from here', async t => {
  const proxy = (issuer: string, trustProxy: false | string[], requestId?: string) =>
    [...checkProxy({ issuer, trustProxy }, requestId === undefined ? undefined : { requestId })].map(
      ({ state, remedy = '' }) => [state, remedy] as const
    )
  t.same(proxy('http://localhost:3000', false), [['ok', '']])
  t.match(proxy('https://id.example', false), [['warning', /^Set TRUST_PROXY to/]])
  t.match(proxy('https://id.example', ['10.0.0.1']), [['unchecked', /another machine/]])
  t.match(proxy('https://id.example', ['10.0.0.1'], 'doctor-1'), [['unchecked', /the requestId doctor-1 must have/]])
})

t.test('every invalid setting is reported, nothing else is checked, and the exit code is 1', async t => {
  const { code, stdout } = await examine({ ENVIRONMENT: 'production', DEMO_CALLBACK: 'http://localhost:1/' })
  t.equal(code, 1)
  t.match(
    stdout,
    /^✓ Settings: .*\n✗ ISSUER is missing\. .*\n✗ DEFAULT_AUDIENCE is missing\. .*\n✗ SECRET_KEY is missing\. .*\n✗ DEMO_CALLBACK is for development\. .*\n\? Nothing else was checked\.\n/
  )
  t.equal((await examine({}, '--jsn')).code, 2)
})
