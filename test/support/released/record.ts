// `npm run record-release`: keeps what this version says to its databases, for the tests of the next one.
import { writeFile } from 'node:fs/promises'
import { DIALECTS, fileOf, SERVICES, type Service } from './releases.js'
import { recordReleased } from './recording.js'
import { startPostgres } from '../stack.js'

const postgres = await startPostgres()
process.env.TEST_DATABASE_URL = postgres.url
try {
  // as: Object.keys knows no more than strings.
  for (const service of Object.keys(SERVICES) as Service[]) {
    for (const dialect of DIALECTS) {
      const lines = (await recordReleased(service, dialect)).map(statement => JSON.stringify(statement, plainNumbers))
      await writeFile(fileOf(service, dialect), `[\n${lines.join(',\n')}\n]\n`)
      console.log(`${service}, ${dialect}: ${lines.length} statements`)
    }
  }
} finally {
  await postgres.stop()
}

/** SQLite's driver gets whole numbers as BigInt, which JSON does not have. */
function plainNumbers (_: string, value: unknown) {
  return typeof value === 'bigint' ? Number(value) : value
}
