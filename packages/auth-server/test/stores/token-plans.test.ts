import { openPool } from '@frontdesk/database/postgresql'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openAuthorizedApps } from '../../src/stores/clients/authorized-apps.js'
import { openAuthorizationCodes } from '../../src/stores/grants/authorization-codes.js'
import { openConsents } from '../../src/stores/grants/consents.js'
import { openDeviceCodes } from '../../src/stores/grants/device-codes.js'
import { openGrants, type NewGrant } from '../../src/stores/grants/grants.js'
import { openRefreshTokens } from '../../src/stores/grants/refresh-tokens.js'
import { openStores } from '../../src/stores/stores.js'
import { codeClient } from '../support/code-flow.js'
import { connectTo, onPostgresql, temporaryDatabase } from '../support/database.js'
import { CALLBACK } from '../support/helper.js'
import { OPTIONS, sentStatements, type Statement } from '../support/stores/plans.js'

export const onBothDatabases = true

/** Flows that share their statements. */
const FLOWS = 20
/** Grants of others, and of the user and client of the flows. */
const OTHERS = 20_000

/**
 * Most buffers of PostgreSQL that a statement reads and writes for an entry: a dozen lookups by key, and the row in its indexes. A
 * table that is read as a whole has hundreds.
 */
const MAX_BUFFERS = 75

const NOW = new Date()
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)
const times = Array.from({ length: FLOWS }, (_, index) => `flow${index}`)

/** What requests for tokens send to the database: each step of all flows at once, then that of one. */
async function tokenStatements (t: Test, url: string): Promise<Statement[]> {
  const access = { clientId: 'app', userId: 'ann', scope: 'x', audience: 'api', createdAt: NOW, expiresAt: after(600) }
  const grant = (id: string): NewGrant => ({ ...access, id: `${id}-01`, nonceHash: id, responseType: 'code', epoch: 0, isSilent: false })
  const code = (hash: string) =>
    ({ ...access, hash, grantId: `${hash}-01`, redirectUri: CALLBACK, callbackNamed: true, codeChallenge: 'c', authTime: NOW, amr: 'pwd' })
  const end = after(7_200)
  const newTokens = (hash: string) =>
    ({ refreshToken: { hash, familyHash: hash, expiresAt: end, endsAt: end }, grantEndsAt: end, tokensEndAt: after(600) })
  return await sentStatements(url, async connection => {
    const [grants, codes, devices] = [openGrants(connection), openAuthorizationCodes(connection), openDeviceCodes(connection)]
    const [tokens, consents, apps] = [openRefreshTokens(connection), openConsents(connection), openAuthorizedApps(connection)]
    for (const flows of [times, ['alone']]) {
      const all = async (step: (flow: string) => Promise<unknown>) => t.notOk((await Promise.all(flows.map(step))).includes(null))
      await all(flow => grants.add(grant(flow)))
      await all(flow => consents.add({ ...access, scope: ['x', 'y'], allowedAt: NOW, nonceHash: flow }))
      await all(() => consents.find(access))
      await all(() => apps.scope(access))
      await all(flow => codes.add(code(flow)))
      const bound = { clientId: 'app', codeChallenge: 'c', redirectUri: CALLBACK, audience: undefined }
      await all(flow => codes.exchange({ ...bound, hash: flow }, newTokens(flow), NOW))
      await all(async flow => {
        const next = { salt: 's', hash: `${flow} next` }
        const use = { hash: flow, familyHash: flow, clientId: 'app', next, now: NOW, expiresAt: after(600), tokensEndAt: after(600) }
        t.equal((await tokens.rotate(use)).state, 'granted')
      })
      await all(flow => devices.add({ ...access, hash: flow, userCodeHash: flow, acrValues: '', maxAge: null, pollInterval: 5 }))
      await all(flow => devices.allow(flow, { ...grant(`device-${flow}`), responseType: 'device_code' }, { authTime: NOW, amr: 'pwd' }, NOW))
      await all(async flow => {
        t.equal((await devices.poll({ hash: flow, clientId: 'app', audience: undefined }, newTokens(`device-${flow}`), NOW)).state, 'granted')
      })
    }
  })
}

/** Adds grants with spent codes and refresh tokens, for others and for the user of the flows. */
async function fill (query: (sql: string) => Promise<unknown>) {
  const rows = `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${OTHERS})
    SELECT i, CASE i % 2 WHEN 0 THEN 'ann' ELSE 'user' || i END AS user_id FROM n) AS made`
  const at = (seconds: number) => `'${after(seconds).toISOString().replace('Z', '+00:00')}'`
  await query(`INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at)
    SELECT 'other' || i, 'other' || i, 'app', user_id, 'code', 'x', 'api', i % 4 = 0, 0, ${at(0)}, ${at(7_200)} FROM ${rows}`)
  await query(`INSERT INTO authorization_code (hash, grant_id, client_id, user_id, redirect_uri, callback_named, code_challenge, scope, audience, auth_time, amr, created_at, expires_at)
    SELECT 'other' || i, 'other' || i, 'app', user_id, 'x', true, 'c', 'x', 'api', ${at(0)}, 'pwd', ${at(0)}, ${at(60)} FROM ${rows}`)
  await query(`INSERT INTO refresh_token (family_hash, hash, spent, grant_id, client_id, user_id, scope, audience, auth_time, amr, created_at, expires_at, ends_at)
    SELECT 'other' || i, 'other' || i, '[]', 'other' || i, 'app', user_id, 'x', 'api', ${at(0)}, 'pwd', ${at(0)}, ${at(7_200)}, ${at(7_200)} FROM ${rows}`)
}

/** What the flows have written. */
const UNDO = ['refresh_token', 'authorization_code', 'device_code', 'consent', 'access_grant']
  .map(table => `DELETE FROM ${table} WHERE ${table === 'consent' ? 'true' : `${table === 'access_grant' ? 'id' : 'grant_id'} NOT LIKE 'other%'`}`)

async function begin (t: Test) {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url)
  await stores.clients.add(codeClient())
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  await stores.close()
  const direct = await connectTo(url)
  t.teardown(() => direct.close())
  const statements = await tokenStatements(t, url)
  for (const sql of UNDO) await direct.query(sql)
  return { url, direct, statements }
}

/** On SQLite, by its plans. */
async function readsNoTable (t: Test) {
  const { direct, statements } = await begin(t)
  for (const { sql } of statements) {
    const plan = (await direct.query(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', "''")}`)).map(({ detail }) => detail).join('\n')
    t.notMatch(plan, /SCAN (access_grant|given|authorization_code|refresh_token|device_code|consent|user_account|client_session|kept|access_epoch)\b/, `${sql}\n${plan}`)
  }
}

/** On PostgreSQL, in every state of the tables. */
async function looksUpEveryRow (t: Test) {
  const { url, direct, statements } = await begin(t)
  const { pool } = await openPool(url, OPTIONS)
  const client = await pool.connect()
  t.teardown(async () => {
    client.release(true)
    await pool.end()
  })
  const names = new Map([...new Set(statements.map(({ sql }) => sql))].map((sql, index) => [sql, `asked${index}`]))
  for (const [sql, name] of names) await client.query(`PREPARE ${name} AS ${sql}`)
  const execute = ({ sql, args }: Statement) => ({ text: `EXECUTE ${names.get(sql)} ${args.length === 0 ? '' : `(${args.map(literal).join(', ')})`}` })
  const plain = ({ sql, args }: Statement) => ({ text: sql, values: args.map(toPostgresql) })
  await check(t, client, statements, execute, 'empty')
  await fill(direct.query)
  await check(t, client, statements, execute, 'planned while empty')
  await client.query('DISCARD PLANS')
  await check(t, client, statements, execute, 'never analyzed')
  await client.query('RESET ALL')
  await check(t, client, statements, plain, 'never analyzed, not prepared')
  await direct.query('VACUUM ANALYZE')
  await check(t, client, statements, plain, 'analyzed, not prepared')
}

/** Executes the statements once more, in a transaction that is rolled back, and counts the buffers that they use. */
async function check (
  t: Test, client: pg.PoolClient, statements: readonly Statement[], toQuery: (statement: Statement) => pg.QueryConfig, state: string
) {
  await client.query('BEGIN')
  for (const statement of statements) {
    const { text, ...query } = toQuery(statement)
    const { rows: [row] } = await client.query({ text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, ...query })
    const { Plan: plan } = row['QUERY PLAN'][0]
    const entries = Array.isArray(statement.args[0]) ? statement.args[0].length : 1
    const buffers = (plan['Shared Hit Blocks'] + plan['Shared Read Blocks']) / entries
    t.ok(buffers <= MAX_BUFFERS, `${state}: ${buffers.toFixed(0)} buffers for each of ${entries}`, { sql: statement.sql, plan })
  }
  await client.query('ROLLBACK')
}

/** As the connection of a store writes values. */
function toPostgresql (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPostgresql)
  return value instanceof Date ? value.toISOString() : value
}

/** SQL of a value, as EXECUTE needs it. */
function literal (value: unknown): string {
  if (value === null) return 'NULL'
  if (!Array.isArray(value)) return pg.escapeLiteral(String(toPostgresql(value)))
  return pg.escapeLiteral(`{${value.map(it => it === null ? 'NULL' : JSON.stringify(toPostgresql(it))).join(',')}}`)
}

t.test('statements for tokens look every row up: planned while the tables were empty, never analyzed, or analyzed; prepared or not',
  onPostgresql ? looksUpEveryRow : readsNoTable)
