import { decodeJwt } from 'jose'
import t from 'tap'
import { connectTo } from '../support/database.js'
import { prepare, TOKEN } from '../support/grants/refresh.js'

export const onBothDatabases = true

t.test('100 concurrent uses of one refresh token have the same successor', async t => {
  const { first, later, live } = await prepare(t)
  // At one time also where the machine is slow, which may have no connection for all of them then.
  const answers = await Promise.allSettled(Array.from({ length: 100 }, () => later(0, first)))
  const [second, ...others] = new Set(answers.flatMap(it => it.status === 'fulfilled' ? [it.value!] : []))
  t.match(second, TOKEN)
  t.same(others, [])
  t.same(await live([first, second!]), [second])
  const third = await later(0, second)
  t.match(third, TOKEN)
  t.equal(await later(10, first), 'invalid_grant', 'one that was replaced is used ten seconds later')
  t.same(await live([second!, third!]), [], 'which ends the family')
})

t.test('for ten seconds every use has the same successor; then, while that is unused, another one for ten more', async t => {
  const { first, later } = await prepare(t)
  const second = await later(0, first)
  for (const seconds of [0, 5, 9.999]) t.equal(await later(seconds, first), second, `${seconds} s later`)
  const other = await later(10, first)
  t.match(other, TOKEN)
  t.not(other, second)
  for (const seconds of [10, 15, 19.999]) t.equal(await later(seconds, first), other, `${seconds} s later`)
  t.equal(await later(21, second), 'invalid_grant', 'the one that was replaced is used after all')
  t.equal(await later(22, other), 'invalid_grant', 'which ends the family')
})

t.test('the successor is the same although it was used; if the next was, too, it is the current one', async t => {
  const { first, later } = await prepare(t)
  const second = await later(0, first)
  const third = await later(1, second)
  t.equal(await later(2, first), second)
  t.equal(await later(2, second), third)
  const fourth = await later(3, third)
  t.equal(await later(4, first), fourth, 'which can be used later')
  t.equal(await later(4, second), third)
  t.match(await later(600, fourth), TOKEN)
})

t.test('a clock that is set back does not make the ten seconds longer', async t => {
  const { first, later } = await prepare(t)
  const second = await later(60, first)
  await later(61, second)
  t.equal(await later(0, first), 'invalid_grant')
})

t.test('another scope has the same successor, and an access token of its own', async t => {
  const { first, refresh } = await prepare(t)
  const answers = (await Promise.all(['customer:read', 'customer:write', undefined].map(scope => refresh(first, { scope })))).map(it => it.json())
  t.same(answers.map(({ scope }) => scope), ['customer:read', 'customer:write', 'customer:read customer:write'])
  t.equal(new Set(answers.map(it => it.refresh_token)).size, 1)
  t.equal(new Set(answers.map(it => decodeJwt(it.access_token).jti)).size, 3)
  t.equal((await refresh(first, { scope: 'customer:delete' })).json().error, 'invalid_scope')
  t.equal((await refresh(first, { resource: 'https://other.example' })).json().error, 'invalid_target')
  t.equal((await refresh(first)).json().refresh_token, answers[0].refresh_token)
})

t.test('within the ten seconds, too, a token is of its client, person and grant', async t => {
  const { first, refresh, stores, grant } = await prepare(t)
  const second = (await refresh(first)).json().refresh_token as string
  t.equal((await refresh(first, { client_id: 'thief' })).json().error, 'invalid_grant')
  t.equal((await refresh(first)).json().refresh_token, second, 'which changed nothing')
  await stores.revocations.add({ id: grant, revokedAt: new Date(), endsAt: new Date() })
  for (const token of [first, second]) t.equal((await refresh(token)).json().error, 'invalid_grant')
})

t.test('a family keeps no more spent tokens than twenty, however often it is used', async t => {
  const { first, later, databaseUrl } = await prepare(t)
  let token: string | undefined = first
  for (let use = 0; use < 50; use++) token = await later(use / 10, token)
  t.match(token, TOKEN)
  const database = await connectTo(databaseUrl)
  const [row] = await database.query('SELECT spent FROM refresh_token')
  await database.close()
  t.equal(JSON.parse(String(row!.spent)).length, 20)
})
