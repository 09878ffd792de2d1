import Sqlite from 'better-sqlite3'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { loadDatabase } from '../../src/config.js'
import { connect } from '@frontdesk/database/connect'
import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import { isUnavailable } from '@frontdesk/database/unavailable'
import { openStores } from '../../src/stores/stores.js'
import { connectTo, onPostgresql, standardWaits, temporaryDatabase } from '../support/database.js'
import { CALLBACK, client } from '../support/helper.js'

export const onBothDatabases = true

async function open (t: Test) {
  const url = await temporaryDatabase(t)
  const connection = await connect(url, { ...loadDatabase({}).database, connectTimeout: 60_000, applicationName: 'test' })
  t.teardown(connection.close)
  return { url, connection }
}

const run = (connection: Connection, sql: string) => connection.run({ sql, args: [] })

t.test('temporary errors of a driver, which a retry can fix, are told apart from mistakes in the statement', async t => {
  for (const code of [
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_BUSY_RECOVERY',
    'SQLITE_NOMEM',
    'SQLITE_PROTOCOL',
    'SQLITE_CANTOPEN',
    'SQLITE_FULL'
  ]) {
    t.ok(isUnavailable(new Sqlite.SqliteError('x', code)), code)
  }
  for (const code of ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ECONNREFUSED']) {
    t.ok(isUnavailable(Object.assign(new Error('x'), { code })), code)
  }
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE']) {
    t.notOk(isUnavailable(new Sqlite.SqliteError('x', code)), code)
  }
})

if (onPostgresql) {
  standardWaits(t)

  t.test('temporary errors that PostgreSQL itself reports', async t => {
    const { connection } = await open(t)
    const ways: Array<[name: string, run: (sql: string) => Promise<unknown>]> = [
      ['a statement', sql => run(connection, sql)],
      ['a transaction', sql => connection.transact(function * () { yield { sql, args: [] } })]
    ]
    const raise = (code: string) => `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`
    for (const [name, run] of ways) {
      for (const code of ['40001', '40P01', '40003', '25P03', '25P04', '55P03', '55006', '57014', '57P01', '53300', '08006']) {
        const error = await run(raise(code)).then(() => undefined, error => error)
        t.ok(isUnavailable(error), `${code} in ${name}`)
      }
      for (const code of ['23505', '22P02', '42601', 'XX000']) {
        const error = await run(raise(code)).then(() => undefined, error => error)
        t.ok(error instanceof Error && !isUnavailable(error), `${code} in ${name}`)
      }
    }
  })

  t.test('a client that another transaction has locked does not hold up the codes of others', async t => {
    const url = await temporaryDatabase(t)
    const [stores, operator] = [await openStores(url, loadDatabase({}).database), await connectTo(url)]
    t.teardown(async () => { await Promise.all([operator.close(), stores.close()]) })
    const ids = ['locked', ...Array.from({ length: 19 }, (_, index) => `app${index}`)]
    for (const id of ids) await stores.clients.put(client({ id }))
    await operator.query("BEGIN; SELECT 1 FROM client WHERE id = 'locked' FOR UPDATE")
    const now = new Date()
    const added = await Promise.allSettled(ids.map(clientId => stores.codes.add({
      hash: clientId,
      grantId: clientId,
      clientId,
      userId: 'ann',
      redirectUri: CALLBACK,
      callbackNamed: true,
      codeChallenge: '',
      scope: 'x',
      audience: 'api',
      authTime: now,
      amr: 'pwd',
      createdAt: now,
      expiresAt: new Date(now.getTime() + 60_000)
    })))
    t.same(added.map(({ status }) => status), ids.map(id => id === 'locked' ? 'rejected' : 'fulfilled'))
  })

  t.test('a statement or transaction that conflicts with others is run again from its beginning, and gives up within 3 s', async t => {
    const { url, connection } = await open(t)
    const operator = await connectTo(url)
    t.teardown(() => operator.close())
    // A sequence keeps its value when all else is undone.
    await operator.query(`CREATE SEQUENCE tries; CREATE TABLE note (text text);
      CREATE FUNCTION third(code text) RETURNS int AS $$ DECLARE n int := nextval('tries'); BEGIN
        IF n % 3 <> 0 THEN RAISE EXCEPTION USING ERRCODE = code; END IF; RETURN n; END $$ LANGUAGE plpgsql`)
    for (const code of ['40001', '40P01']) {
      t.ok(await run(connection, `SELECT third('${code}')`), code)
      await connection.transact(function * () {
        yield { sql: `INSERT INTO note VALUES ('${code}')`, args: [] }
        yield { sql: `SELECT third('${code}')`, args: [] }
      })
    }
    t.same(await run(connection, 'SELECT text FROM note ORDER BY text'), [['40001'], ['40P01']], 'nothing is done twice')
    const begun = Date.now()
    const always = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"
    await t.rejects(run(connection, always))
    await t.rejects(connection.transact(function * () { yield { sql: always, args: [] } }))
    t.ok(Date.now() - begun < 3_000, `${Date.now() - begun} ms`)
  })

  t.test(
    'a transaction that stood still for 5 s, and was ended by PostgreSQL (25P03), means "not now", and the next one works',
    async t => {
      const { connection } = await open(t)
      const stopped = connection.transact(function * () {
        yield { sql: 'SELECT 1', args: [] }
        // As a process that is stopped: nothing of it runs.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500)
        yield { sql: 'SELECT 2', args: [] }
      })
      t.ok(
        isUnavailable(
          await stopped.then(
            () => undefined,
            error => error
          )
        )
      )
      await setTimeout(10)
      t.same(
        await connection.transact(function * (): Steps<unknown[][]> {
          return yield { sql: 'SELECT 3', args: [] }
        }),
        [[3]]
      )
    }
  )
}
