import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../src/connect.js'
import { options } from './options.js'

async function open (t: Test): Promise<SqlDriverAdapter> {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const adapter = await (await connect(`file:${join(directory, 'fence.db')}`, options)).adapter.connect()
  t.teardown(async () => {
    await adapter.dispose()
    rmSync(directory, { recursive: true })
  })
  await adapter.executeScript('CREATE TABLE note (id INTEGER PRIMARY KEY)')
  return adapter
}

const insert = (id: number) => ({ sql: `INSERT INTO note (id) VALUES (${id})`, args: [], argTypes: [] })
const statement = (sql: string) => ({ sql, args: [], argTypes: [] })
const ids = async (adapter: SqlDriverAdapter) =>
  (await adapter.queryRaw(statement('SELECT id FROM note ORDER BY id'))).rows.flat().map(Number)

t.test('a write concurrent with a transaction that is rolled back is kept, and no uncommitted row is read', async t => {
  const adapter = await open(t)
  const transaction = await adapter.startTransaction()
  await transaction.executeRaw(insert(1))
  const write = adapter.executeRaw(insert(2))
  const read = ids(adapter)
  await new Promise(resolve => setTimeout(resolve, 50))
  await transaction.executeRaw(statement('ROLLBACK'))
  await transaction.rollback()
  await write
  t.notOk((await read).includes(1))
  t.same(await ids(adapter), [2])
})

t.test('of many transactions and statements at once each is alone', async t => {
  const adapter = await open(t)
  await Promise.all(Array.from({ length: 40 }, async (_, i) => {
    if (i % 2 === 0) return await adapter.executeRaw(insert(i))
    const transaction = await adapter.startTransaction()
    await transaction.executeRaw(insert(i))
    await new Promise(resolve => setTimeout(resolve, i % 3))
    await transaction.executeRaw(statement(i % 4 === 1 ? 'ROLLBACK' : 'COMMIT'))
    return i % 4 === 1 ? await transaction.rollback() : await transaction.commit()
  }))
  t.same(await ids(adapter), Array.from({ length: 40 }, (_, i) => i).filter(i => i % 4 !== 1))
})

t.test('a statement that waited for another process\'s lock does not slip into a transaction that began meanwhile', async t => {
  const adapter = await open(t)
  const [[, , file]] = (await adapter.queryRaw(statement('PRAGMA database_list'))).rows as [[unknown, unknown, string]]
  const other = await (await connect(`file:${file}`, options)).adapter.connect()
  const lock = await other.startTransaction()
  await lock.executeRaw(insert(1))
  const write = adapter.executeRaw(insert(2))
  await new Promise(resolve => setTimeout(resolve, 40))
  const begun = adapter.startTransaction()
  await new Promise(resolve => setTimeout(resolve, 40))
  await lock.executeRaw(statement('COMMIT'))
  await lock.commit()
  const transaction = await begun
  await new Promise(resolve => setTimeout(resolve, 80))
  await transaction.executeRaw(statement('ROLLBACK'))
  await transaction.rollback()
  await write
  await other.dispose()
  t.same(await ids(adapter), [1, 2])
})

t.test('a read does not wait behind writes that wait for another process\'s lock', async t => {
  const adapter = await open(t)
  const [[, , file]] = (await adapter.queryRaw(statement('PRAGMA database_list'))).rows as [[unknown, unknown, string]]
  const other = await (await connect(`file:${file}`, options)).adapter.connect()
  const lock = await other.startTransaction()
  await lock.executeRaw(insert(1))
  const writes = [adapter.executeRaw(insert(2)), adapter.executeRaw(insert(3))]
  await new Promise(resolve => setTimeout(resolve, 100))
  const read = await Promise.race([ids(adapter), new Promise(resolve => setTimeout(resolve, 800, 'it waited'))])
  await lock.executeRaw(statement('COMMIT'))
  await lock.commit()
  await Promise.all(writes)
  await other.dispose()
  t.same(read, [])
  t.same(await ids(adapter), [1, 2, 3])
})
