import { createServer } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import { fetchJson } from '../../src/outgoing/fetch-json.js'
import { aheadBy, compareClocks } from '../../src/doctor/clock.js'
import { explain } from '../../src/doctor/explain.js'
import { FetchError, classifyFailure, isOutOfReach } from '../../src/outgoing/failure.js'

const error = (code: string) => Object.assign(new Error('raw text'), { code })

t.test('why a call failed is one of a few fixed words, found along its causes', async t => {
  const rows: Array<[error: unknown, code: string, isOutOfReach: boolean]> = [
    [new TypeError('fetch failed', { cause: error('EAI_AGAIN') }), 'unknown host', true],
    [
      new TypeError('fetch failed', { cause: Object.assign(new AggregateError([error('ECONNREFUSED')]), { code: 'ECONNREFUSED' }) }),
      'refused',
      true
    ],
    [new TypeError('fetch failed', { cause: error('ENETUNREACH') }), 'unreachable', true],
    [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'timeout', true],
    [new TypeError('terminated', { cause: error('UND_ERR_SOCKET') }), 'cut off', true],
    [error('CERT_HAS_EXPIRED'), 'certificate ended', false],
    [error('CERT_UNTRUSTED'), 'certificate', false],
    [error('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'certificate', false],
    [error('HPE_INVALID_CONSTANT'), 'no http', false],
    [
      new TypeError('fetch failed', { cause: Object.assign(new Error('raw text'), { name: 'HTTPParserError', code: undefined }) }),
      'no http',
      false
    ],
    [new FetchError('html', ''), 'html', false],
    [error('EWHATEVER'), 'other', false],
    ['a text', 'other', false]
  ]
  for (const [error, code, reach] of rows) t.same([classifyFailure(error), isOutOfReach(error)], [code, reach], code)
})

t.test('a port that no client calls, and one that does not speak HTTP', async t => {
  await t.rejects(fetchJson('http://127.0.0.1:25/'), { code: 'port' })
  const server = createServer(socket => socket.on('error', () => {}).end('220 mail ready\r\n')).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  // as: a server that listens on a port has such an address.
  await t.rejects(fetchJson(`http://127.0.0.1:${(server.address() as { port: number }).port}/`), { code: 'no http' })
})

t.test('a sentence about an address shows neither a password nor a query, and what others wrote at a length that can be read', async t => {
  const asked = { what: 'It', url: 'https://me:secret@host.example/path?key=secret', setting: 'X' }
  const [sentence, remedy] = explain(asked, new FetchError('redirect', '', { detail: `https://other.example/${'x'.repeat(1_000)}` }))
  t.ok(sentence.startsWith('It at https://host.example/path leads elsewhere, to https://other.example/x'))
  t.ok(sentence.length < 400)
  t.notMatch(sentence + remedy, 'secret')
  t.same(explain(asked, error('EWHATEVER')), ['It at https://host.example/path cannot be reached: raw text.', 'Check X.'])
})

t.test('clocks: half a second of rounding is no difference; 60 s are allowed and 61 are not', async t => {
  const at = Date.parse('2030-01-01T00:00:00.500Z')
  const ahead = (date: string, age?: string) =>
    aheadBy({ at, headers: new Headers({ ...(date === '' ? {} : { date }), ...(age === undefined ? {} : { age }) }) })
  t.same(
    [
      ahead('Tue, 01 Jan 2030 00:00:00 GMT'),
      ahead('Tue, 01 Jan 2030 00:01:30 GMT'),
      ahead('Mon, 31 Dec 2029 23:58:30 GMT', '90'),
      ahead(''),
      ahead('now')
    ],
    [0, 90, 0, undefined, undefined]
  )
  const state = (seconds: number | undefined) => compareClocks('issuer-clock', 'it', seconds).state
  t.same([0, 9, -9, 10, -60, 61, -61, undefined].map(state), ['ok', 'ok', 'ok', 'warning', 'warning', 'wrong', 'wrong', 'unchecked'])
  t.match(compareClocks('issuer-clock', 'it', -90).sentence, /^The clock of it is 90 s behind this machine's/)
})
