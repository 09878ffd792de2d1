// `npm run record-release`: keeps what this version says to its databases, for the tests of the next one.
import { writeFile } from 'node:fs/promises'
import { migratedDatabase } from './database.js'
import { DIALECTS, fileOf, SERVICES, type Dialect, type Service } from './releases.js'
import { record } from './recording.js'
import { say, type Statement } from './statements.js'
import { startPostgres } from '../stack.js'

const postgres = await startPostgres()
process.env.TEST_DATABASE_URL = postgres.url
try {
  // as: Object.keys knows no more than strings.
  for (const service of Object.keys(SERVICES) as Service[]) {
    for (const dialect of DIALECTS) {
      const statements = await record(service, dialect)
      const rows = await answers(service, dialect, statements)
      const lines = statements.map((statement, index) => JSON.stringify({ ...statement, rows: rows[index] }, plainNumbers))
      await writeFile(fileOf(service, dialect), `[\n${lines.join(',\n')}\n]\n`)
      console.log(`${service}, ${dialect}: ${lines.length} statements`)
    }
  }
} finally {
  await postgres.stop()
}

async function answers (service: Service, dialect: Dialect, statements: readonly Statement[]): Promise<number[]> {
  const { url, remove } = await migratedDatabase(service, dialect)
  return await say(url, statements).finally(remove)
}

/** SQLite's driver gets whole numbers as BigInt, which JSON does not have. */
function plainNumbers (_: string, value: unknown) {
  return typeof value === 'bigint' ? Number(value) : value
}
