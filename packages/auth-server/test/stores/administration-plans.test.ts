import { connect } from '@frontdesk/database/connect'
import t from 'tap'
import { openRoles } from '../../src/stores/access/roles.js'
import { openOverview } from '../../src/stores/operation/overview.js'
import { openStores } from '../../src/stores/stores.js'
import { openUserList } from '../../src/stores/users/user-list.js'
import { openUsers } from '../../src/stores/users/users.js'
import { connectTo, longTimeouts, onPostgresql, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'
import { OPTIONS, sentStatements } from '../support/stores/plans.js'

export const onBothDatabases = true

/** Users, all with a role; and how many of them gave the app of many and the app of few access, those whose names come last. */
const [USERS, OF_MANY, OF_FEW] = [20_000, 2_000, 5]

const time = (iso: string) => `'${iso}${onPostgresql ? '' : '+00:00'}'`
const [past, future] = [time('2020-01-01T00:00:00.000'), time('2999-01-01T00:00:00.000')]
const name = onPostgresql ? "'user' || lpad(CAST(i AS text), 5, '0')" : "printf('user%05d', i)"
const numbers = `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${USERS}) SELECT i FROM n) AS made`

const FILLING = [
  `INSERT INTO user_account (id, username, username_key, search_key, password_hash, email_verified, demo, created_at, updated_at)
    SELECT ${name}, ${name}, ${name}, ${name}, 'x', false, i = 7, ${past}, ${past} FROM ${numbers}`,
  `INSERT INTO role (name, created_at) VALUES ('staff', ${past})`,
  `INSERT INTO user_role (user_id, role) SELECT ${name}, 'staff' FROM ${numbers}`,
  ...[['many', OF_MANY], ['few', OF_FEW]].flatMap(([app, count]) => [
    // Two for each user.
    `INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at)
      SELECT '${app}' || i || n, '${app}' || i || n, '${app}', ${name}, 'code', 'x', 'api', false, 0, ${past}, ${future}
      FROM ${numbers} CROSS JOIN (SELECT 1 AS n UNION ALL SELECT 2) AS twice WHERE i > ${USERS} - ${count}`,
    `INSERT INTO consent (user_id, client_id, audience, scope, epoch, allowed_at)
      SELECT ${name}, '${app}', 'api', 'x', 0, ${past} FROM ${numbers} WHERE i > ${USERS} - ${count}`
  ]),
  `INSERT INTO audit (id, at, event, outcome, details, rank, position)
    SELECT '0' || ${name}, ${past}, CASE WHEN i % 2 = 0 THEN 'sign-in' ELSE 'token' END, 'signed in', '{}', 1, i FROM ${numbers}`
]

/** A table of many rows that is read as a whole; there are few apps. */
const WHOLE_TABLE = /(SCAN|Seq Scan on) (user_account|access_grant|consent|user_role|audit)\b(?! USING)|hashed SubPlan|Hash Join/

t.test('lists and searches of administrators read indexes, some rows at a time, and count no more than 10,001 rows', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  for (const id of ['many', 'few', 'none']) await stores.clients.add(client({ id }))
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  for (const sql of FILLING) await direct.query(sql)

  const { users } = stores
  const listed = async (query: Parameters<typeof users.list>[0]) => (await users.list(query)).map(({ username }) => username)
  const last = (count: number) => Array.from({ length: count }, (_, index) => `user${USERS - count + 1 + index}`)
  t.same(await listed({ clientId: 'few' }), last(OF_FEW))
  t.same(await listed({ clientId: 'few', after: `user${USERS - 2}`, search: 'USER' }), last(2))
  t.same(await listed({ clientId: 'many' }), last(OF_MANY))
  t.same(await listed({ clientId: 'many', after: `user${USERS - 500}`, limit: 3 }), last(500).slice(0, 3))
  t.same(await listed({ clientId: 'none' }), [])
  t.same(await listed({ search: '19999' }), ['user19999'])
  t.equal((await listed({ search: 'user', limit: 9_000 })).length, 9_000)
  t.equal((await stores.roles.people()).get('staff'), 10_001)

  const works: Record<string, (connection: Parameters<typeof openUserList>[0]) => Promise<unknown>> = {
    'of many': connection => openUserList(connection).list({ clientId: 'many', limit: 50 }),
    'of few': connection => openUserList(connection).list({ clientId: 'few', limit: 50 }),
    search: connection => openUserList(connection).list({ search: '19999', limit: 50 }),
    newest: connection => openUserList(connection).byTime('newest', { after: '2020-01-01T00:00:00.000Z user1', limit: 50 }),
    oldest: connection => openUserList(connection).byTime('oldest', { limit: 50 }),
    demo: connection => openUsers(connection).demo(),
    roles: connection => openRoles(connection).people(),
    start: async connection => {
      const overview = openOverview(connection)
      await Promise.all([overview.signIns(new Date()), overview.newUsers(new Date()), overview.users()])
    }
  }
  for (const state of ['never analyzed', 'analyzed']) {
    if (state === 'analyzed') await direct.query(onPostgresql ? 'VACUUM ANALYZE' : 'ANALYZE')
    for (const [what, work] of Object.entries(works)) {
      const connection = await connect(url, OPTIONS)
      for (const { sql, args } of await sentStatements(url, work)) {
        const rows = await connection.run({ sql: `EXPLAIN ${onPostgresql ? '(COSTS OFF)' : 'QUERY PLAN'} ${sql}`, args })
        const plan = rows.map(row => row.at(-1)).join('\n')
        if (onPostgresql && what === 'search' && sql.includes("|| ''")) t.match(plan, /Seq Scan on user_account/)
        else t.notMatch(plan, WHOLE_TABLE, `${state}, ${what}\n${sql}\n${plan}`)
        if (what === 'newest' || what === 'oldest') t.notMatch(plan, /TEMP B-TREE|Sort/, plan)
        if (!onPostgresql && what === 'search' && sql.includes('COUNT')) t.match(plan, /COVERING INDEX user_account_search_idx/)
        if (!onPostgresql && sql.includes('audit')) t.match(plan, /COVERING INDEX audit_event_id_outcome_idx/)
      }
      await connection.close()
    }
  }
})
