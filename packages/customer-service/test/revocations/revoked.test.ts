import t from 'tap'
import { fetchRevocations } from '../../src/revocations/feed-reader.js'
import { Revoked } from '../../src/revocations/revoked.js'
import { startIssuer } from '../support/issuer.js'

/** Seconds since 1970. */
const NOW = 1_790_000_000

/** A list with some entries: `has` tells whether an id is revoked for a token that was issued at a time. */
function list (capacity?: number) {
  const revoked = new Revoked(capacity)
  return { revoked, has: (id: string, iat = 0) => revoked.has(revoked.fingerprints([id]), iat) }
}

t.test('an entry revokes every token of its id, or those that were issued before a time', async t => {
  const { revoked, has } = list()
  revoked.add({ id: 'grant', ends: 100, newest: 1 })
  revoked.add({ id: 'group', ends: 100, before: 50, newest: 1 })
  for (const [id, iat, expected] of [
    ['grant', 0, true],
    ['grant', 1e10, true],
    ['other', 0, false],
    ['group', 49, true],
    ['group', 50, false],
    ['group', 51, false]
  ] as const) { t.equal(has(id, iat), expected, `${id} ${iat}`) }
  t.equal(revoked.has(revoked.fingerprints(['other', 'grant']), 0), true, 'any id of a token counts')
  t.equal(revoked.has(revoked.fingerprints(['other', 'more']), 0), false)
})

t.test('of two entries of one id the later times count, whichever comes first', async t => {
  for (const entries of [[{ ends: 100, before: 70 }, { ends: 200, before: 50 }], [{ ends: 200, before: 50 }, { ends: 100, before: 70 }]]) {
    const { revoked, has } = list()
    for (const entry of entries) revoked.add({ id: 'group', ...entry, newest: 1 })
    t.equal(has('group', 69), true)
    t.equal(has('group', 70), false)
    revoked.forget(199)
    t.equal(has('group', 69), true)
    revoked.forget(200)
    t.equal(has('group', 69), false)
  }
})

t.test('times beyond 32 bits, or below zero, are the nearest that an entry can have', async t => {
  const { revoked, has } = list()
  revoked.add({ id: 'late', ends: Number.MAX_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER, newest: 1 })
  revoked.add({ id: 'early', ends: -5, before: -5, newest: 1 })
  t.equal(has('late', NOW), true)
  t.equal(has('early', 0), false)
  revoked.forget(NOW)
  t.equal(has('late', NOW), true)
  t.equal(revoked.size, 1)
})

t.test('an entry that is there is not added again', async t => {
  const { revoked } = list()
  for (let i = 0; i < 3; i++) revoked.add({ id: 'one', ends: 100, before: 50, newest: i }, i === 0 ? 'new' : 'full')
  t.equal(revoked.size, 1)
})

t.test('all of many entries are found, and what has ended is forgotten: memory does not grow for ever', async t => {
  const { revoked, has } = list()
  for (let i = 0; i < 20_000; i++) revoked.add({ id: `${i}`, ends: i < 15_000 ? 100 : 200, newest: 1 })
  t.equal(revoked.size, 20_000)
  for (let i = 0; i < 20_000; i++) if (!has(`${i}`)) t.fail(`${i} is lost`)
  revoked.forget(100)
  t.equal(revoked.size, 5_000)
  t.equal(has('14999'), false)
  for (let i = 15_000; i < 20_000; i++) if (!has(`${i}`)) t.fail(`${i} is lost`)
  revoked.forget(200)
  t.equal(revoked.size, 0)
})

t.test('a full list drops the oldest entries, and tells which tokens they could revoke', async t => {
  const { revoked, has } = list(1_600)
  const add = (i: number) => revoked.add({ id: `${i}`, ends: NOW + 600, newest: NOW + i })
  for (let i = 0; i < 1_600; i++) add(i)
  t.equal(revoked.size, 1_600)
  t.equal(revoked.droppedUntil, -Infinity)
  add(1_600)
  t.equal(revoked.size, 1_501, 'a sixteenth is dropped')
  t.equal(revoked.droppedUntil, NOW + 99)
  t.equal(has('99'), false)
  for (let i = 100; i <= 1_600; i++) if (!has(`${i}`)) t.fail(`${i} is lost`)
  for (let i = 0; i < 100; i++) add(i)
  t.equal(revoked.size, 1_501, 'what was dropped is not added again')
  for (let i = 1_601; i < 10_000; i++) add(i)
  t.ok(revoked.size <= 1_600 && revoked.size > 1_400)
  for (let i = 0; i < 10_000; i++) if (!has(`${i}`) && NOW + i > revoked.droppedUntil) t.fail(`${i} is lost`)
  revoked.setBack(NOW)
  t.equal(revoked.droppedUntil, NOW, 'unless the clock was wrong')
})

t.test('what a full read finds is dropped before what is new', async t => {
  const { revoked, has } = list(160)
  for (let i = 0; i < 100; i++) {
    revoked.add({ id: `new ${i}`, ends: NOW + 600, newest: NOW + 1_000 + i })
    revoked.add({ id: `old ${i}`, ends: NOW + 600, newest: NOW + i }, 'full')
  }
  for (let i = 0; i < 100; i++) t.equal(has(`new ${i}`), true)
  t.ok(revoked.droppedUntil >= NOW && revoked.droppedUntil < NOW + 100, `${revoked.droppedUntil - NOW}`)
  t.equal(has('old 99'), true)
})

t.test('what stays for long does not keep the room of what ends: small generations are joined', async t => {
  const { revoked, has } = list(160)
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < 60; i++) revoked.add({ id: `${round} ${i}`, ends: i % 20 === 0 ? NOW + 9_000 : NOW + round, newest: NOW + round })
    for (let i = 0; i < 20; i++) revoked.forget(NOW + round)
    t.equal(revoked.size, (round + 1) * 3)
  }
  t.equal(revoked.droppedUntil, -Infinity)
  for (let round = 0; round < 20; round++) for (const i of [0, 20, 40]) t.equal(has(`${round} ${i}`), true)
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
