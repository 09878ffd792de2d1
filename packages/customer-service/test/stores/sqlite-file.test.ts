import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { openDatabase } from '../../src/stores/prisma/open.js'
import { temporaryFolder } from '../database.js'

t.test('a SQLite file that others may read, of an older version or copied here, is closed to them when it is opened', async t => {
  const file = join(temporaryFolder(t), 'customers.db')
  const config = loadConfig({ DATABASE_URL: `file:${file}` })
  await (await openDatabase(config)).close()
  t.equal(statSync(file).mode & 0o777, 0o600, 'a new one is from the beginning')
  chmodSync(file, 0o664)
  writeFileSync(`${file}-wal`, '', { mode: 0o644 })
  const { customers, close } = await openDatabase(config)
  t.teardown(close)
  await customers.register({ id: 1, name: 'a', age: 1, address: 'b' })
  for (const name of [file, `${file}-wal`, `${file}-shm`]) t.equal(statSync(name).mode & 0o777, 0o600, name)
})
