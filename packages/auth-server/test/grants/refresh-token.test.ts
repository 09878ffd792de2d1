import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, exchangeForm, getCode, post } from '../support/code-flow.js'
import { prepare, TOKEN } from '../support/grants/refresh.js'

export const onBothDatabases = true

const DAY = 24 * 60 * 60

t.test('a refresh token gives the next one and an access token of the same grant (RFC 6749 §6)', async t => {
  const { first, grant, refresh, stores } = await prepare(t)
  t.match(first, TOKEN)
  const answer = (await refresh(first)).json()
  t.match(answer, { token_type: 'Bearer', expires_in: 600, scope: 'customer:read customer:write', refresh_token: TOKEN })
  t.not(answer.refresh_token, first)
  const ann = await stores.users.find('ann')
  t.match(decodeJwt(answer.access_token), { sub: ann?.id, client_id: 'app', aud: 'https://api.example', gty: 'refresh_token', grant_id: grant, auth_time: Number })
  const narrow = (await refresh(answer.refresh_token, { scope: 'customer:read' })).json()
  t.equal(narrow.scope, 'customer:read')
  t.equal((await refresh(narrow.refresh_token)).json().scope, 'customer:read customer:write', 'what was granted stays')
})

t.test('a refresh token counts for its client alone, within what was granted, and a refusal does not cost it', async t => {
  const { first, refresh, stores } = await prepare(t)
  const rows: Array<[name: string, changes: Record<string, string | undefined>, error: string]> = [
    ['another client', { client_id: 'thief' }, 'invalid_grant'],
    ['missing', { refresh_token: undefined }, 'invalid_request'],
    ['unknown', { refresh_token: 'x'.repeat(43) }, 'invalid_grant'],
    ['with NUL', { refresh_token: 'a\0' }, 'invalid_request'],
    ['more scope', { scope: 'customer:read customer:delete' }, 'invalid_scope'],
    ['a scope outside the grammar', { scope: 'customer:read é' }, 'invalid_scope'],
    ['another resource', { resource: 'https://other.example' }, 'invalid_target']
  ]
  for (const [name, changes, error] of rows) t.equal((await refresh(first, changes)).json().error, error, name)
  const answer = await refresh(first)
  t.equal(answer.statusCode, 200)
  await stores.users.setDisabled('ann', new Date())
  t.equal((await refresh(answer.json().refresh_token)).json().error, 'invalid_grant', 'the person is disabled')
  await stores.users.setDisabled('ann', null)
  t.equal((await refresh(answer.json().refresh_token)).json().error, 'invalid_grant', 'the person has to allow it again')
})

t.test('a spent token works again as long as its successor was never used, however long that takes', async t => {
  const { first, later, stores, grant } = await prepare(t)
  for (const seconds of [0, 0, 0.5, 11, 3600, 5 * DAY]) t.match(await later(seconds, first), TOKEN, `${seconds} s later`)
  const second = await later(5 * DAY, first)
  const third = await later(6 * DAY, second)
  t.match(await later(7 * DAY, second), TOKEN, 'the next one too')
  t.equal(await stores.revocations.has([grant]), false)
  t.match(third, TOKEN)
})

t.test('a successor that was replaced and is used after all ends the family (RFC 9700 §4.14.2)', async t => {
  const { first, grant, later, stores } = await prepare(t)
  const second = await later(0, first)
  const stolen = await later(60, first)
  t.match(stolen, TOKEN, 'the thief, with the spent token')
  t.equal(await later(61, second), 'invalid_grant', 'the owner, who has to sign in again')
  t.equal(await later(62, stolen), 'invalid_grant', 'the thief')
  t.equal(await stores.revocations.has([grant]), true, 'access tokens of the grant too')
})

t.test('a thief who is faster than the owner is found out by the owner', async t => {
  const { first, later } = await prepare(t)
  const stolen = await later(0, await later(0, first))
  t.equal(await later(60, first), 'invalid_grant', 'the owner')
  t.equal(await later(61, stolen), 'invalid_grant', 'the thief')
})

t.test('a thief and the owner who take turns both lose access, no matter who begins and how many tokens later', async t => {
  for (const rounds of [1, 2, 5]) {
    const { first, later, live } = await prepare(t)
    let [owner, thief]: Array<string | undefined> = [first, first]
    let turns = 0
    let seconds = 0
    while (owner !== 'invalid_grant' && thief !== 'invalid_grant' && turns < 10) {
      for (let round = 0; round < rounds; round++) owner = await later(seconds += 10, owner)
      thief = await later(seconds += 10, thief)
      turns++
    }
    t.ok(turns <= 2, `${turns} turns`)
    t.same(await live([owner!, thief!]), [])
    for (const token of [owner, thief]) t.equal(await later(seconds, token), 'invalid_grant')
  }
})

t.test('any token of a family is recognized, and only for its client', async t => {
  const { first, later, refresh, stores, grant } = await prepare(t)
  let token: string | undefined = first
  for (let use = 0; use < 20; use++) token = await later(use - 30, token)
  t.equal((await refresh(first, { client_id: 'thief' })).json().error, 'invalid_grant')
  t.equal((await refresh('x'.repeat(86))).json().error, 'invalid_grant')
  t.equal(await stores.revocations.has([grant]), false, 'another client cannot end it')
  t.equal((await refresh(first)).json().error, 'invalid_grant')
  t.equal(await stores.revocations.has([grant]), true)
  t.equal(await later(30, token), 'invalid_grant')
})

t.test('no clean-up brings back a family that ended', async t => {
  const { first, later, stores, grant, client } = await prepare(t)
  const second = await later(0, first)
  const third = await later(1, second)
  t.equal(await later(10, first), 'invalid_grant')
  const end = Date.now() + 200 * DAY * 1000
  await stores.removeExpired('revocation', new Date(end))
  t.equal(await stores.revocations.has([grant]), false, 'its revocation is gone')
  for (const token of [second, third]) t.equal(await later(11, token), 'invalid_grant')
  t.equal(client.id, 'app')
})

t.test('a token that is only expired is no reuse', async t => {
  const { first, later, stores, grant } = await prepare(t)
  const second = await later(0, first)
  for (const token of [first, second]) t.equal(await later(15 * DAY, token), 'invalid_grant')
  t.equal(await stores.revocations.has([grant]), false)
})

t.test('a refresh token ends when it is not used for 14 days, and its family after 90', async t => {
  const idle = await prepare(t)
  t.equal(await idle.later(14 * DAY + 60, idle.first), 'invalid_grant')
  const { later, ...used } = await prepare(t)
  let token: string | undefined = used.first
  for (let day = 13; day < 90; day += 13) token = await later(day * DAY, token)
  t.match(token, TOKEN)
  t.equal(await later(90 * DAY + 60, token), 'invalid_grant')
})

t.test('a client that may not use refresh tokens gets none, nor does anybody from the implicit grant', async t => {
  const { app, stores, first, refresh } = await prepare(t)
  await stores.clients.put(codeClient({ grantTypes: ['authorization_code'] }))
  const answer = (await post(app, '/token', exchangeForm(await getCode(app)))).json()
  t.notOk('refresh_token' in answer)
  t.equal((await refresh(first)).json().error, 'unauthorized_client')
})
