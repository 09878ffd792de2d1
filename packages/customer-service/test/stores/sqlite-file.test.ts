import Sqlite from 'better-sqlite3'
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { openDatabase } from '../../src/stores/open.js'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { build, PATH } from '../support/helper.js'
import { NO_ACTOR } from '../../src/stores/changes/change.js'

t.test('a SQLite file that others may read, since it was copied here, is closed to them when it is opened', async t => {
  const file = join(temporaryFolder(t), 'customers.db')
  const config = loadConfig({ DATABASE_URL: `file:${file}` })
  await (await openDatabase(config)).close()
  t.equal(statSync(file).mode & 0o777, 0o600, 'a new one is from the beginning')
  chmodSync(file, 0o664)
  writeFileSync(`${file}-wal`, '', { mode: 0o644 })
  const { stores: { customers }, close } = await openDatabase(config)
  t.teardown(close)
  await customers.register({ id: 1, name: 'a', age: 1, address: 'b' }, NO_ACTOR)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) t.equal(statSync(name).mode & 0o777, 0o600, name)
})

t.test('readiness says that the file of the database is gone, or that another is in its place', async t => {
  const file = join(temporaryFolder(t), 'customers.db')
  const { send, register } = await build(t, { DATABASE_URL: `file:${file}` })
  await register(1)
  const ready = async () => await send('GET', '/health/ready', { token: null })
  t.equal((await ready()).statusCode, 200)
  renameSync(file, `${file}.moved`)
  t.equal((await ready()).statusCode, 503)
  t.match((await ready()).json(), { status: 'unavailable', checks: { database: 'the file was removed or moved while it was open' } })
  copyFileSync(`${file}.moved`, file)
  t.match((await ready()).json(), { status: 'unavailable', checks: { database: 'the file was replaced while it was open' } })
  rmSync(file)
  renameSync(`${file}.moved`, file)
  t.equal((await ready()).statusCode, 200, 'once it is back')
  t.equal((await send('GET', `${PATH}/1`)).statusCode, 200)
})

t.test('the values of an erased customer are not in the file any more, on pages that became free either', async t => {
  const file = join(temporaryFolder(t), 'customers.db')
  const { send, register } = await build(t, { DATABASE_URL: `file:${file}` })
  const holdsName = () => {
    const other = new Sqlite(file)
    other.pragma('wal_checkpoint(TRUNCATE)')
    other.close()
    return readFileSync(file).includes('"name":"Xylophonia"')
  }
  await register(1)
  for (let age = 0; age < 150; age++) await send('PATCH', `${PATH}/1`, { form: { customername: 'Xylophonia', customerage: age } })
  t.ok(holdsName())
  t.equal((await send('POST', `${PATH}/1/erase`)).statusCode, 200)
  t.notOk(holdsName())
})
