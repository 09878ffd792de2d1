import Sqlite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connect } from '../src/connect.js'
import type { Steps } from '../src/steps.js'
import { isUnavailable } from '../src/unavailable.js'
import { options } from './options.js'

/** A connection to a database with a table, and another process's connection that has locked it. */
async function open (t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const file = join(directory, 'locked.db')
  const { run, transact, close } = await connect(`file:${file}`, options)
  const other = new Sqlite(file)
  t.teardown(async () => {
    other.close()
    await close()
    rmSync(directory, { recursive: true })
  })
  const ask = (sql: string) => run({ sql, args: [] })
  await ask('CREATE TABLE note (id INTEGER PRIMARY KEY)')
  return {
    transact,
    insert: (id: number) => ask(`INSERT INTO note (id) VALUES (${id})`),
    ids: async () => (await ask('SELECT id FROM note ORDER BY id')).flat().map(Number),
    lock: () => other.exec('BEGIN IMMEDIATE; INSERT INTO note (id) VALUES (1)'),
    commit: () => other.exec('COMMIT')
  }
}

t.test('writes wait for another process\'s lock, in order, and reads do not', async t => {
  const { insert, ids, lock, commit, transact } = await open(t)
  lock()
  const order: number[] = []
  const writes = [insert(2).then(() => order.push(2))]
  await setTimeout(40)
  writes.push(transact(function * (): Steps<void> {
    yield { sql: 'INSERT INTO note (id) VALUES (3)', args: [] }
    yield { sql: 'INSERT INTO note (id) VALUES (4)', args: [] }
  }).then(() => order.push(3)))
  await setTimeout(40)
  t.same(await Promise.race([ids(), setTimeout(800, 'it waited')]), [])
  commit()
  await Promise.all(writes)
  t.same(order, [2, 3])
  t.same(await ids(), [1, 2, 3, 4])
})

t.test('a write gives up, with nothing done, when the lock lasts longer than a statement may', async t => {
  const { insert, ids, lock, commit } = await open(t)
  lock()
  const begun = Date.now()
  const error = await insert(2).then(() => undefined, error => error)
  t.equal(error?.name, 'TimeoutError')
  t.ok(isUnavailable(error))
  t.ok(Date.now() - begun < options.statementTimeout + 500)
  commit()
  t.same(await ids(), [1])
})
