import t, { type Test } from 'tap'
import { hashOpaqueToken, randomOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { codeClient, exchangeForm, form, getCode, post } from '../code-flow.js'
import { connectTo, onPostgresql } from '../database.js'
import { build } from '../helper.js'

export const onBothDatabases = true

/** A family as the release before this one leaves it: its one token, without what tokens of a family have in common. */
async function prepare (t: Test) {
  const { app, stores, databaseUrl } = await build(t)
  await stores.clients.put(codeClient())
  const database = await connectTo(databaseUrl)
  t.teardown(() => database.close())
  await post(app, '/token', exchangeForm(await getCode(app)))
  const first = randomOpaqueToken()
  await database.query(`UPDATE refresh_token SET hash = '${hashOpaqueToken(first)}', family_hash = NULL`)
  /** What the release before this one does: it adds a child. */
  const rotation = (parent: string, next: string) => `
    INSERT INTO refresh_token (hash, parent_hash, grant_id, client_id, user_id, scope, audience, auth_time, created_at, expires_at, ends_at)
    SELECT '${hashOpaqueToken(next)}', hash, grant_id, client_id, user_id, scope, audience, auth_time, created_at, expires_at, ends_at
    FROM refresh_token WHERE hash = '${hashOpaqueToken(parent)}'`
  return {
    stores,
    database,
    databaseUrl,
    first,
    rotation,
    rotateBefore: async (parent: string) => {
      const next = randomOpaqueToken()
      await database.query(rotation(parent, next))
      return next
    },
    /** The next token, or the error. */
    refresh: async (token: string) => {
      const { refresh_token: next, error } = (
        await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))
      ).json()
      return (next ?? error) as string
    }
  }
}

const TOKEN = /^[\w-]{86}$/

t.test('a refresh token of the release before goes on, and is recognized however long ago it was spent', async t => {
  const { first, refresh } = await prepare(t)
  t.match(await refresh(first), TOKEN)
  const second = await refresh(first)
  t.match(second, TOKEN, 'again, as long as its successor is unused')
  const current = await refresh(await refresh(await refresh(second)))
  t.match(current, TOKEN)
  t.equal(await refresh(first), 'invalid_grant')
  t.equal(await refresh(current), 'invalid_grant')
})

t.test('while a replica of the previous release runs, exactly one token of a family works', async t => {
  const lost = await prepare(t)
  const unused = await lost.rotateBefore(lost.first)
  const next = await lost.refresh(lost.first)
  t.match(next, TOKEN, 'the child was never used')
  t.equal(await lost.refresh(unused), 'invalid_grant', 'it was, after all')
  t.equal(await lost.refresh(next), 'invalid_grant')

  const used = await prepare(t)
  const second = await used.rotateBefore(used.first)
  const third = await used.refresh(second)
  t.match(third, TOKEN)
  const fourth = await used.rotateBefore(third)
  t.equal(await used.stores.refreshTokens.find(hashOpaqueToken(third), new Date()), null)
  const fifth = await used.refresh(fourth)
  t.match(fifth, TOKEN)
  await used.stores.refreshTokens.sweep(new Date(), 500)
  t.equal(await used.refresh(used.first), 'invalid_grant', 'the first is not current again')
  t.equal(await used.refresh(fifth), 'invalid_grant', 'and its use ended the family')
})

t.test('clean-up keeps what recognizes a spent token of the release before as long as its family', async t => {
  const { first, rotateBefore, refresh, stores, database } = await prepare(t)
  await refresh(await rotateBefore(first))
  const count = async () => Number((await database.query('SELECT count(*) AS count FROM refresh_token'))[0]?.count)
  await stores.refreshTokens.sweep(new Date(), 500)
  t.equal(await count(), 2)
  await stores.refreshTokens.sweep(new Date(Date.now() + 91 * 24 * 60 * 60_000), 500)
  t.equal(await count(), 0)
})

if (onPostgresql) {
  t.test('a replica of the release before that uses the same token at the same time is waited for', async t => {
    const { first, rotation, refresh, databaseUrl } = await prepare(t)
    const other = await connectTo(databaseUrl)
    t.teardown(() => other.close())
    const child = randomOpaqueToken()
    await other.query('BEGIN')
    await other.query(rotation(first, child))
    const next = refresh(first)
    await new Promise(resolve => setTimeout(resolve, 200))
    await other.query('COMMIT')
    t.match(await next, TOKEN)
    t.equal(await refresh(child), 'invalid_grant')
    t.equal(await refresh(await next), 'invalid_grant')
  })
}
