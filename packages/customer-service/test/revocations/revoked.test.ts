import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { fetchRevocations } from '../../src/revocations/fetch-revocations.js'
import { Revoked } from '../../src/revocations/revoked.js'
import { startIssuer } from '../issuer.js'

t.test('an entry revokes every token of its id, or those that were issued before a time', async t => {
  const revoked = new Revoked()
  revoked.add({ id: 'grant', ends: 100 })
  revoked.add({ id: 'group', ends: 100, before: 50 })
  for (const [id, iat, expected] of [
    ['grant', 0, true],
    ['grant', 1e10, true],
    ['other', 0, false],
    ['group', 49, true],
    ['group', 50, false],
    ['group', 51, false]
  ] as const) { t.equal(revoked.has(id, iat), expected, `${id} ${iat}`) }
})

t.test('of two entries of one id the later times count, whichever comes first', async t => {
  for (const entries of [[{ ends: 100, before: 70 }, { ends: 200, before: 50 }], [{ ends: 200, before: 50 }, { ends: 100, before: 70 }]]) {
    const revoked = new Revoked()
    for (const entry of entries) revoked.add({ id: 'group', ...entry })
    t.equal(revoked.has('group', 69), true)
    t.equal(revoked.has('group', 70), false)
    revoked.forget(199)
    t.equal(revoked.has('group', 69), true)
    revoked.forget(200)
    t.equal(revoked.has('group', 69), false)
  }
})

t.test('what has ended is forgotten, and nothing else: memory does not grow for ever', async t => {
  const revoked = new Revoked(2)
  revoked.add({ id: 'one', ends: 100 })
  revoked.add({ id: 'two', ends: 200 })
  revoked.add({ id: 'two', ends: 300 })
  t.match(thrownBy(() => revoked.add({ id: 'three', ends: 300 })), { code: 'too large', message: 'more than 2 revocations are listed' })
  revoked.forget(99)
  t.equal(revoked.has('one', 0), true)
  revoked.forget(100)
  t.equal(revoked.has('one', 0), false)
  t.equal(revoked.has('two', 0), true)
  revoked.add({ id: 'three', ends: 300 })
  t.equal(revoked.has('three', 0), true)
  const full = new Revoked()
  for (let i = 0; i < 250_000; i++) full.add({ id: `${i}`, ends: 1 })
  t.match(thrownBy(() => full.add({ id: 'one more', ends: 1 })), { message: 'more than 250000 revocations are listed' })
})

t.test('a page is asked for after a place, and is a list of revocations within bounds', async t => {
  const asked: string[] = []
  let list: object = {}
  const { url } = await startIssuer(t, response => {
    asked.push(response.req.url ?? '')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(list))
  })
  const page = { revoked: [{ id: 'x'.repeat(200), ends: Number.MAX_SAFE_INTEGER, before: 5 }], next: 'n'.repeat(200), more: false, now: 7 }
  list = page
  t.strictSame(await fetchRevocations(`${url}/r`, ''), page)
  t.strictSame(await fetchRevocations(`${url}/r`, 'a b&c', new AbortController().signal), page)
  t.same(asked, ['/r', '/r?after=a%20b%26c'])
  for (const bad of [
    {},
    { ...page, next: 'n'.repeat(201) },
    { ...page, now: 1e300 },
    { ...page, now: 'x' },
    { ...page, revoked: [{ id: 'x'.repeat(201), ends: 1 }] },
    { ...page, revoked: [{ id: 'x', ends: 1e300 }] },
    {
      ...page,
      revoked: [
        { id: 'x', ends: 1 },
        { id: 'x', ends: 1, before: 1e300 }
      ]
    },
    { ...page, revoked: [{ id: 'x' }] }
  ]) {
    list = bad
    await t.rejects(
      fetchRevocations(url, ''),
      { code: 'no revocations', message: 'the answer is not a list of revocations' },
      JSON.stringify(bad).slice(0, 80)
    )
  }
  list = page
  await t.rejects(fetchRevocations(url, '', AbortSignal.abort()), { message: /^no answer/ }, 'a fetch ends with the process')
})
