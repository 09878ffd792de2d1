import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { AUTH, CUSTOMER } from './support/db-command.js'
import { migratedDatabase } from './support/released/database.js'
import { root } from './support/stack.js'

export const onBothDatabases = true

const dialect = onPostgresql ? 'postgresql' : 'sqlite'

const SERVICES = [
  { name: 'auth-server', package: 'auth', command: AUTH, table: 'access_epoch', reads: ['client', 'list'] },
  { name: 'customer-service', package: 'customer', command: CUSTOMER, table: 'customer_change', reads: ['webhook', 'list'] }
] as const

/** Runs a program to its end. */
async function run (file: string, args: readonly string[], DATABASE_URL: string): Promise<{ code: unknown, output: string }> {
  return await new Promise(resolve => {
    // PORT: a service that starts all the same ends at the timeout.
    const options = { env: { PATH: process.env.PATH, DATABASE_URL, AUTH: 'none', PORT: '0' }, timeout: 60_000 }
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: stdout + stderr })
    })
  })
}

const serverOf = (name: string) => join(root, 'packages', name, 'dist/bundle/server.js')
const nameOf = (url: string) => onPostgresql ? `postgresql://${new URL(url).host}${new URL(url).pathname}` : url.slice('file:'.length)
const tablesOf = async (url: string) => {
  const database = await connectTo(url)
  const tables = await database.query(onPostgresql
    ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    : "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
  await database.close()
  return tables.map(({ name }) => `${name}`)
}

for (const [index, service] of SERVICES.entries()) {
  const other = SERVICES[1 - index]!

  await t.test(`${service.name} does not start with the database of ${other.name}, says whose it is, and leaves it as it is`, async t => {
    const { url, remove } = await migratedDatabase(other.package, dialect)
    t.teardown(remove)
    const before = await tablesOf(url)
    const says = `The database ${nameOf(url)} belongs to ${other.name}: it has the table ${other.table}.`
    const remedy = 'Each service needs a database of its own. Correct DATABASE_URL or DATA_DIR.'
    t.strictSame(await run(serverOf(service.name), [], url), { code: 1, output: `${service.name} cannot start: ${says} ${remedy}\n` })
    const doctor = await run(service.command, ['doctor'], url)
    t.equal(doctor.code, 1)
    t.match(doctor.output, `✗ ${says}\n    ${remedy}\n`)
    const command = await run(service.command, service.reads, url)
    t.equal(command.code, 1)
    t.match(command.output, `${says} ${remedy}\n`)
    t.same(await tablesOf(url), before)
  })

  if (onPostgresql) {
    await t.test(`so does ${service.name} with a user who has no rights there`, async t => {
      const { url, remove } = await migratedDatabase(other.package, dialect)
      const user = `user_${randomUUID().replaceAll('-', '')}`
      const admin = await connectTo(url)
      await admin.query(`CREATE ROLE ${user} LOGIN`)
      t.teardown(async () => {
        await admin.query(`DROP ROLE ${user}`)
        await admin.close()
        await remove()
      })
      const stranger = Object.assign(new URL(url), { username: user }).href
      for (const [file, args] of [[serverOf(service.name), []], [service.command, ['doctor']]] as const) {
        const { code, output } = await run(file, args, stranger)
        t.equal(code, 1)
        t.match(output, `The database ${nameOf(url)} belongs to ${other.name}: it has the table ${other.table}.`)
      }
    })
  }
}
