import { migratedDatabase } from './database.js'
import { SERVICES, type Dialect, type Service } from './releases.js'
import { overhear, say, type Released, type Statement } from './statements.js'
import { watchCalls } from './watch.js'

/** What this version says to a database, in order, with the rows of each statement. @throws if part of the stores was not used */
export async function recordReleased (service: Service, dialect: Dialect): Promise<Released> {
  const statements = await record(service, dialect)
  const { url, remove } = await migratedDatabase(service, dialect)
  const rows = await say(url, statements).finally(remove)
  return statements.map((statement, index) => ({ ...statement, rows: rows[index] ?? 0 }))
}

/** Everything that this version says to a database, in order. @throws if part of the stores was not used */
async function record (service: Service, dialect: Dialect): Promise<Statement[]> {
  const { url, remove } = await migratedDatabase(service, dialect)
  const { watch, unused } = watchCalls()
  const { heard, stop } = overhear()
  try {
    await SERVICES[service](url, stores => {
      // Opening was heard too: it migrates, which the next version does in its own way.
      heard.length = 0
      return watch(stores)
    })
  } finally {
    stop()
    await remove()
  }
  if (unused().length > 0) throw new Error(`Use these too, in test/support/released: ${unused().join(', ')}.`)
  return heard
}
