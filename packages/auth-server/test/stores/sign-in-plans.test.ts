import { connect } from '@frontdesk/database/connect'
import type { Steps } from '@frontdesk/database/steps'
import t from 'tap'
import { findStanding } from '../../src/stores/users/standing.js'
import { openUserLookup } from '../../src/stores/users/user-lookup.js'
import { connectTo, onPostgresql, temporaryDatabase } from '../support/database.js'
import { lastStatement, OPTIONS, sentStatements } from '../support/stores/plans.js'

export const onBothDatabases = true

const USERS = 20_000
const past = `'2020-01-01T00:00:00.000${onPostgresql ? '' : '+00:00'}'`
const name = onPostgresql ? "'user' || lpad(CAST(i AS text), 5, '0')" : "printf('user%05d', i)"

/** Users with verified addresses: a hundred of them share one. */
const FILLING = `INSERT INTO user_account
    (id, username, username_key, search_key, password_hash, email, email_verified, demo, created_at, updated_at)
  SELECT ${name}, ${name}, ${name}, ${name}, 'x', CASE WHEN i > ${USERS - 100} THEN 'Desk@example.com' ELSE ${name} || '@Example.com' END,
    true, false, ${past}, ${past}
  FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${USERS}) SELECT i FROM n) AS made`

t.test('to find who signs in, the database reads the index of names, that of addresses and one row, with statistics or without', async t => {
  const url = await temporaryDatabase(t)
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  await direct.query(FILLING)
  const typed = ['user00007', 'USER00008@example.com', 'desk@example.com', 'nobody', 'nobody@example.com']
  const find = async (connection: Parameters<typeof openUserLookup>[0]) =>
    await Promise.all(typed.map(it => openUserLookup(connection).findForSignIn(it)))
  for (const state of ['never analyzed', 'analyzed']) {
    if (state === 'analyzed') await direct.query(onPostgresql ? 'VACUUM ANALYZE' : 'ANALYZE')
    const connection = await connect(url, OPTIONS)
    t.same((await find(connection)).map(it => it?.id), ['user00007', 'user00008', undefined, undefined, undefined])
    const works = [find, async (connection: Parameters<typeof openUserLookup>[0]) => {
      const { findForSignIn } = openUserLookup(connection)
      return await Promise.all(typed.map(async it => await findForSignIn(it)))
    }]
    for (const work of works) {
      for (const { sql, args } of await sentStatements(url, work)) {
        const rows = await connection.run({ sql: `EXPLAIN ${onPostgresql ? '(COSTS OFF)' : 'QUERY PLAN'} ${sql}`, args })
        const plan = rows.map(row => row.at(-1)).join('\n')
        t.notMatch(plan, /(SCAN|Seq Scan on) (user_account|named|addressed)\b(?! USING)|hashed SubPlan|Hash Join/, `${state}\n${sql}\n${plan}`)
        for (const index of ['user_account_verified_email_idx', 'user_account_username_key_key']) t.match(plan, index, plan)
      }
    }
    await connection.close()
  }
})

t.test('whether an app requires a factor is found without a scan of the apps', async t => {
  const url = await temporaryDatabase(t)
  const { sql, args } = await lastStatement(url, connection => findStanding(connection, 'ann'))
  const connection = await connect(url, OPTIONS)
  t.teardown(() => connection.close())
  const rows = await connection.transact(function * (): Steps<unknown[][]> {
    // An empty table is scanned otherwise.
    if (onPostgresql) yield { sql: 'SET LOCAL enable_seqscan = off', args: [] }
    return yield { sql: `EXPLAIN ${onPostgresql ? '(COSTS OFF)' : 'QUERY PLAN'} ${sql}`, args }
  })
  const plan = rows.map(row => row.at(-1)).join('\n')
  t.match(plan, /client_required_acr_idx/, plan)
  t.notMatch(plan, /SCAN client/, plan)
})
