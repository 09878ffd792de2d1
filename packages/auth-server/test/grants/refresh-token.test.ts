import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { loadConfig } from '../../src/config.js'
import { refreshToken } from '../../src/grants/refresh-token.js'
import { openKeyRing } from '../../src/keys/key-ring.js'
import { OAuthError } from '../../src/oauth/errors.js'
import { createTokenIssuer } from '../../src/tokens/issue.js'
import { build, CALLBACK } from '../helper.js'
import { codeClient, exchangeForm, form, getCode, post } from '../code-flow.js'

const DAY = 24 * 60 * 60

/** The app, a family of refresh tokens, and what uses one: now, or some seconds later. */
async function prepare (t: Test) {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ callbacks: [CALLBACK] }))
  await stores.clients.put(codeClient({ id: 'thief', callbacks: [CALLBACK] }))
  const answer = (await post(app, '/token', exchangeForm(await getCode(app, { scope: 'customer:read customer:write' })))).json()
  const config = loadConfig({ ISSUER: 'https://id.example' })
  const parts = { stores, tokens: createTokenIssuer({ keys: await openKeyRing(stores.signingKeys, config), ...config }), defaultAudience: 'https://api.example' }
  const start = Date.now()
  const client = (await stores.clients.find('app'))!
  return {
    app,
    stores,
    first: answer.refresh_token as string,
    grant: String(decodeJwt(answer.access_token).grant_id),
    refresh: async (token: string, changes: Record<string, string | undefined> = {}) =>
      await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, ...changes })),
    /** The next token, or the error. */
    later: async (seconds: number, token: string | undefined): Promise<string | undefined> => {
      try {
        return (await refreshToken.issue(parts, { client, form: { refresh_token: token }, now: new Date(start + seconds * 1000) })).answer.refresh_token
      } catch (error) {
        if (error instanceof OAuthError) return error.error
        throw error
      }
    }
  }
}

t.test('a refresh token gives the next one and an access token of the same grant (RFC 6749 §6)', async t => {
  const { first, grant, refresh, stores } = await prepare(t)
  t.match(first, /^[\w-]{43}$/)
  const answer = (await refresh(first)).json()
  t.match(answer, { token_type: 'Bearer', expires_in: 600, scope: 'customer:read customer:write', refresh_token: /^[\w-]{43}$/ })
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
  t.equal((await refresh(answer.json().refresh_token)).json().error, 'invalid_grant', 'the person has to allow it anew')
})

t.test('of 100 uses of one refresh token at once exactly one gives tokens, and the family lives on', async t => {
  const { first, later } = await prepare(t)
  // At one time also where the machine is slow, which may have no connection for all of them then.
  const answers = await Promise.allSettled(Array.from({ length: 100 }, () => later(0, first)))
  const tokens = answers.flatMap(it => it.status === 'fulfilled' && it.value !== 'invalid_grant' ? [it.value] : [])
  t.equal(tokens.length, 1)
  t.match(await later(0, tokens[0]), /^[\w-]{43}$/)
})

t.test('a stolen refresh token that is used after its owner has used it: the family dies (RFC 9700 §4.14.2)', async t => {
  const { first, grant, later, stores } = await prepare(t)
  const second = await later(0, first)
  t.equal(await later(11, first), 'invalid_grant', 'the thief')
  t.equal(await later(12, second), 'invalid_grant', 'the owner, who has to sign in again')
  t.equal(await stores.revocations.has([grant]), true, 'access tokens of the grant too')
})

t.test('a thief who is faster than the owner is found out by the owner', async t => {
  const { first, later } = await prepare(t)
  const stolen = await later(0, first)
  t.equal(await later(60, first), 'invalid_grant', 'the owner')
  t.equal(await later(61, stolen), 'invalid_grant', 'the thief')
})

t.test('while its successor is in use, a spent token is in two hands, however soon it comes again', async t => {
  const { first, later } = await prepare(t)
  const third = await later(0.2, await later(0.1, first))
  t.equal(await later(0.3, first), 'invalid_grant')
  t.equal(await later(0.4, third), 'invalid_grant')
})

t.test('whose answer was lost may ask once more within ten seconds; the lost token is spent then', async t => {
  const { first, later } = await prepare(t)
  const lost = await later(0, first)
  t.equal(await later(0.9, first), 'invalid_grant', 'at once: one of two at the same time')
  const second = await later(2, first)
  t.match(second, /^[\w-]{43}$/)
  const third = await later(60, second)
  t.match(third, /^[\w-]{43}$/)
  t.equal(await later(61, lost), 'invalid_grant', 'it was not lost after all')
  t.equal(await later(62, third), 'invalid_grant')

  const { first: other, later: use } = await prepare(t)
  await use(0, other)
  await use(2, other)
  t.equal(await use(3, other), 'invalid_grant', 'not twice')
  const { first: late, later: useLate } = await prepare(t)
  await useLate(0, late)
  t.equal(await useLate(10.1, late), 'invalid_grant', 'not later')
})

t.test('a refresh token ends when it is not used for 14 days, and its family after 90', async t => {
  const idle = await prepare(t)
  t.equal(await idle.later(14 * DAY + 60, idle.first), 'invalid_grant')
  const { later, ...used } = await prepare(t)
  let token: string | undefined = used.first
  for (let day = 13; day < 90; day += 13) token = await later(day * DAY, token)
  t.match(token, /^[\w-]{43}$/)
  t.equal(await later(90 * DAY + 60, token), 'invalid_grant')
})

t.test('a client that may not use refresh tokens gets none, nor does anybody from the implicit grant', async t => {
  const { app, stores, first, refresh } = await prepare(t)
  await stores.clients.put(codeClient({ grantTypes: ['authorization_code'] }))
  const answer = (await post(app, '/token', exchangeForm(await getCode(app)))).json()
  t.notOk('refresh_token' in answer)
  t.equal((await refresh(first)).json().error, 'unauthorized_client')
})
