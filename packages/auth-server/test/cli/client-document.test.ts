import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkDocument } from '../../src/admin/check-document.js'
import { reservedScopes } from '../../src/oauth/reserved-scopes.js'
import { documents } from '../support/assistants.js'
import { website } from '../support/document-website.js'
import { Browser, build } from '../support/helper.js'
import { codeQuery } from '../support/code-flow.js'
import { folder, run, runBeside } from '../support/cli/frontdesk-auth.js'

const URL = 'https://notes.example/client.json'
const RULES = { allowPrivateNetworks: true, callbackSchemes: ['cursor'] }
const on = { CLIENT_METADATA_DOCUMENTS: 'on' }

/** What the command says of a document in a file. */
function check (document: object, env: Record<string, string> = on) {
  const file = join(folder(t), 'client.json')
  writeFileSync(file, JSON.stringify(document))
  return run(['client', 'document', URL, '--file', file], { env })
}

t.test('each member is accepted, changed, without effect or refused, with the reason', t => {
  const found = check({
    client_id: 'https://other.example/client.json',
    client_name: 'Notes',
    redirect_uris: ['http://127.0.0.1/callback', 'cursor://notes', 'https://notes.example/cb#x'],
    grant_types: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: 's',
    logo_uri: 'https://notes.example/logo.png',
    policy_uri: 'http://notes.example/',
    subject_type: 'pairwise',
    scope: 'a  b a',
    post_logout_redirect_uris: 'https://notes.example/',
    toString: 1,
    'bad\u001b[31m': 2
  })
  t.strictSame({ code: found.code, stderr: found.stderr }, { code: 1, stderr: '' })
  const lines = found.stdout.split('\n')
  for (const [member, sentence] of [
    ['client_id', 'Refused. Its client_id is not its own address.'],
    ['client_name', 'Accepted.'],
    ['redirect_uris', /^Refused\. redirect_uris\[1\] \(cursor:\/\/notes\): The scheme .* redirect_uris\[2\] \(.*\): The callback has a fragment/],
    ['grant_types', 'Accepted as authorization_code. Left out: client_credentials.'],
    ['token_endpoint_auth_method', 'Refused. Without a registration there is no secret. Use none or private_key_jwt.'],
    ['client_secret', 'Refused. It holds a client_secret: everyone can read it.'],
    ['logo_uri', 'Accepted, but has no effect here.'],
    ['policy_uri', /^Refused\. It must be https/],
    ['subject_type', /^Refused\. /],
    ['post_logout_redirect_uris', /^Refused\. Expected array\.$/],
    ['toString', 'Accepted, but has no effect here.'],
    ['bad%1B[31m', 'Accepted, but has no effect here.']
  ] as const) {
    const line = lines.find(it => it.startsWith(`${member} `))
    t.match(line?.slice(member.length).trim(), sentence, member)
  }
  t.match(found.stdout, `\n${URL} is refused.\n`)
  t.end()
})

t.test('a document that is accepted ends with 0; settings decide, and no database is needed', t => {
  const document = { client_id: URL, redirect_uris: ['cursor://notes'] }
  t.match(check(document, { ...on, CALLBACK_SCHEMES: 'cursor' }), { code: 0, stdout: `${URL} is accepted.\n`, stderr: '' })
  t.match(check(document), { code: 1 })
  const whileOff = check({ client_id: URL, redirect_uris: ['https://notes.example/cb'] }, {})
  t.match(whileOff, { code: 0, stderr: /CLIENT_METADATA_DOCUMENTS is off/ })
  t.match(check({ client_id: URL }), { code: 1, stdout: /^redirect_uris +Refused\. A client with this grant needs a callback\.$/m })
  for (const [text, sentence] of [
    ['{', 'It is not a JSON object.'],
    ['[]', 'It is not a JSON object.'],
    // Fewer characters than bytes.
    [JSON.stringify({ client_id: URL, client_name: 'é'.repeat(5_120) }), 'It has more than 10240 bytes.']
  ] as const) {
    const file = join(folder(t), 'client.json')
    writeFileSync(file, text)
    const json = run(['client', 'document', URL, '--json', '--file', file], { env: on })
    t.strictSame(JSON.parse(json.stdout), { url: URL, accepted: false, faults: [sentence], members: [], cacheSeconds: null })
  }
  t.match(run(['client', 'document', URL, '--file', '/none']), { code: 1, stderr: /^The document in \/none cannot be read: ENOENT/ })
  t.match(run(['client', 'document', 'http://notes.example/client.json']), { code: 1, stdout: /^The client_id must be https\.$/m })
  t.end()
})

t.test('it names the scopes that the client will not get', t => {
  const scopeOf = (scope: string) =>
    /^scope +(.*)$/m.exec(check({ client_id: URL, redirect_uris: ['https://notes.example/cb'], scope }).stdout)?.[1]
  t.equal(scopeOf('customer:read'), 'Accepted.')
  t.equal(scopeOf('customer:read customer:undo admin:read'), 'Accepted as customer:read. Left out: customer:undo, admin:read.')
  t.equal(scopeOf(reservedScopes.join(' ')), `Accepted, but has no effect here. Left out: ${reservedScopes.join(', ')}.`)
  t.end()
})

t.test('it is fetched as a server does: with its bounds, and from public addresses unless private ones are allowed', async t => {
  const { put, pages, origin } = await website(t)
  const fetched = async (path: string, env = {}) => await runBeside(['client', 'document', `${origin}${path}`], { ...on, ...env })
  put('/client.json', {}, { 'cache-control': 'max-age=3600' })
  t.match(await fetched('/client.json'), { code: 0, stdout: /is accepted\.\nServers cache it for 3600 seconds\.\n$/ })
  put('/large.json', { more: 'x'.repeat(10_240) })
  pages.set('/html', response => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'))
  pages.set('/moved', response => response.writeHead(302, { location: '/client.json' }).end())
  for (const [path, sentence] of [
    ['/large.json', /failed: the response is too large\./],
    ['/html', /Its Content-Type is not application\/json\./],
    ['/moved', /It was answered with the status 302 instead of 200\./],
    ['/none', /It was answered with the status 404 instead of 200\./]
  ] as const) t.match(await fetched(path), { code: 1, stdout: sentence }, path)
  const production = { ISSUER: 'https://id.example', ENVIRONMENT: 'production' }
  t.match(await fetched('/client.json', production), { code: 1, stdout: /The client_id must be https\./ })
  t.match(await fetched('/client.json', { ...production, ALLOW_PRIVATE_NETWORKS: 'true' }), { code: 0 })
  const inside = await runBeside(['client', 'document', 'https://10.0.0.1/client.json'], production)
  t.match(inside, { code: 1, stdout: /at a public address/ })
})

t.test('the command and the server agree', async t => {
  const { app } = await build(t, { ...on, ALLOW_PRIVATE_NETWORKS: 'true', CALLBACK_SCHEMES: 'cursor' })
  const { put } = await website(t)
  const others = [
    { redirect_uris: [] }, { redirect_uris: ['cursor://x'] }, { redirect_uris: ['other://x'] }, { grant_types: ['implicit'] },
    { token_endpoint_auth_method: 'private_key_jwt' }, { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
    { require_pushed_authorization_requests: true }, { client_secret_expires_at: 0 }, { scope: 5 }, { client_name: '' },
    { backchannel_logout_uri: 'https://notes.example/#' }, { sector_identifier_uri: 'https://10.0.0.1/' }, { client_uri: 'x' },
    { client_name: null, logo_uri: null }, { client_id: 'x' }, { jwks: { keys: [] } }
  ]
  const all = [...Object.values(documents).map(({ metadata }) => metadata), ...others]
  const outcomes = new Set<boolean>()
  for (const [index, metadata] of all.entries()) {
    const id = put(`/${index}/client.json`, metadata)
    const { accepted, faults, members } = await checkDocument(id, undefined, RULES)
    const page = await new Browser(app).get(`/authorize?${codeQuery({ client_id: id, redirect_uri: 'https://no.example/cb', scope: 'x' })}`)
    const isRead = !/metadata document/i.test(page.body)
    t.equal(accepted, isRead, JSON.stringify({ metadata, faults, members }))
    outcomes.add(accepted)
  }
  t.equal(outcomes.size, 2)
})
