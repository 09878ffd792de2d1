import t from 'tap'
import { fetchJwks } from '../../src/keys/keys.js'
import { startIssuer } from '../support/issuer.js'

t.test('a key set has 1 to 100 keys, which are objects (RFC 7517 §5)', async t => {
  let document: unknown
  let accept: string | undefined
  const { url } = await startIssuer(t, response => {
    accept = response.req.headers.accept
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  })
  const key = { kty: 'EC' }
  for (const good of [{ keys: [key] }, { keys: Array(100).fill(key), more: 1 }]) {
    document = good
    t.match(await fetchJwks(url), { jwks: good, text: JSON.stringify(good) })
    t.same((await fetchJwks(url, new AbortController().signal)).jwks, good)
  }
  t.equal(accept, 'application/jwk-set+json, application/json')
  for (const bad of [
    null,
    1,
    'keys',
    [],
    {},
    { keys: {} },
    { keys: { length: 1 } },
    { keys: [] },
    { keys: Array(101).fill(key) },
    { keys: ['a'] },
    { keys: [key, null] }
  ]) {
    document = bad
    await t.rejects(fetchJwks(url), { code: 'no keys', message: 'the answer is not a key set' }, JSON.stringify(bad).slice(0, 40))
  }
  document = { keys: [key] }
  await t.rejects(fetchJwks(url, AbortSignal.abort()))
})
