import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import t from 'tap'
import { createFetchedKeys } from '../../src/registration/fetched-keys.js'
import { GRACE_MS } from '../../src/registration/fetch-document.js'

const start = new Date('2030-01-01T00:00:00Z').getTime()
const [uri, keys] = ['https://app.example/jwks', { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] }]

/** An address that answers as the test says, and a clock. */
function prepare () {
  const answers = { status: 200, text: JSON.stringify(keys), cacheControl: 'max-age=120', late: false, busy: false, age: '0', limit: Infinity }
  let [asked, seconds, counted] = [0, 0, 0]
  const send = async () => {
    asked++
    if (answers.busy) throw new OutgoingError('busy', 'app.example')
    if (answers.late) throw new OutgoingError('timeout', 'app.example')
    return { status: answers.status, headers: { 'cache-control': answers.cacheControl, age: answers.age }, text: answers.text }
  }
  const fetched = createFetchedKeys(send, async () => ++counted <= answers.limit)
  return {
    answers,
    later (by: number) { seconds += by },
    /** Whether there are keys, and how often they were fetched until now. */
    ask: async (isRefused = false, jwksUri = uri, registeredBy: 'operator' | 'open' = 'open') => {
      const found = await fetched.at({ jwksUri, registeredBy }, '192.0.2.1', new Date(start + seconds * 1_000), isRefused).then(() => true, error => error.error)
      return [found, asked]
    }
  }
}

t.test('keys are fetched once for many at once, and again after their cache time', async t => {
  const { ask, later } = prepare()
  t.same(await Promise.all([ask(), ask(), ask()]), [[true, 1], [true, 1], [true, 1]])
  later(119)
  t.same(await ask(), [true, 1])
  later(2)
  t.same(await ask(), [true, 2])
})

t.test('an assertion of another key fetches them at once, but not more often than twice a minute', async t => {
  const { ask, later } = prepare()
  await ask()
  t.same(await ask(true), [true, 1])
  later(31)
  t.same(await ask(true), [true, 2])
  t.same(await ask(true), [true, 2])
})

t.test('keys that cannot be fetched stand for an hour after their cache time; 404 and 410 end them', async t => {
  for (const [name, change] of [['late', { late: true }], ['5xx', { status: 503 }], ['no JSON', { text: '{' }], ['private', { text: '{"keys":[{"kty":"OKP","d":"x"}]}' }]] as const) {
    const { answers, ask, later } = prepare()
    await ask()
    Object.assign(answers, change)
    later(121)
    t.same(await ask(), [true, 2], name)
    later(GRACE_MS / 1_000 - 2)
    t.match(await ask(), [true], name)
    later(40)
    t.match(await ask(), ['invalid_client'], name)
    Object.assign(answers, { status: 200, text: JSON.stringify(keys), late: false })
    later(31)
    t.match(await ask(), [true], name)
  }
  for (const status of [404, 410]) {
    const { answers, ask, later } = prepare()
    await ask()
    Object.assign(answers, { status })
    later(121)
    t.match(await ask(), ['invalid_client'], `${status}`)
    answers.late = true
    later(31)
    t.match(await ask(), ['invalid_client'], 'for good')
  }
})

t.test('that a source has too many fetches under way keeps no other source from the keys, and ends none that are known', async t => {
  const { answers, ask, later } = prepare()
  answers.busy = true
  t.same(await ask(), ['temporarily_unavailable', 1])
  answers.busy = false
  t.same(await ask(), [true, 2], 'at once')
  later(121)
  answers.busy = true
  t.same(await ask(), [true, 3])
})

t.test('the time in other caches is part of the cache time (RFC 9111 §4.2.3)', async t => {
  const { answers, ask, later } = prepare()
  Object.assign(answers, { cacheControl: 'max-age=86400', age: '86300' })
  await ask()
  later(99)
  t.same(await ask(), [true, 1])
  later(2)
  t.same(await ask(), [true, 2])
})

t.test('thousands of apps that registered themselves push no keys of an operator\'s app out, and a source fetches so many', async t => {
  const { answers, ask, later } = prepare()
  t.same(await ask(false, uri, 'operator'), [true, 1])
  for (let app = 0; app < 1_000; app++) await ask(false, `https://${app}.example/jwks`)
  answers.late = true
  t.same(await ask(false, uri, 'operator'), [true, 1_001])
  later(121)
  t.same(await ask(false, uri, 'operator'), [true, 1_002], 'stands')
  Object.assign(answers, { late: false, limit: 1_001 })
  t.same(await ask(false, 'https://one.example/jwks'), [true, 1_003])
  t.same(await ask(false, 'https://more.example/jwks'), ['temporarily_unavailable', 1_003])
  t.same(await ask(false, 'https://operator.example/jwks', 'operator'), [true, 1_004], 'of the operator\'s apps, any number')
})
