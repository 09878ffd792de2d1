import { Batcher } from './batch.js'
import type { Connection } from './connection.js'
import { listStatement, type Definition } from './list-statement.js'
import type { Columns, Row } from './rows.js'

/** Creates a function that finds an entry's row. Concurrent calls share a statement. @param key fields that an entry and its row share */
export function createLookup<const E extends Columns, const R extends Columns> (
  connection: Connection, definition: Definition<E, R>, ...key: Array<keyof E & keyof R & string>
): (entry: Row<E>) => Promise<Row<R> | null> {
  const statement = listStatement(connection, definition)
  const keyOf = (it: Row<E> | Row<R>) => key.map(field => it[field]).join('\0')
  const lookups = new Batcher(async (entries: Array<Row<E>>) => {
    const rows = new Map((await statement.run(entries)).map(row => [keyOf(row), row]))
    return entries.map(entry => rows.get(keyOf(entry)) ?? null)
  }, connection)
  return entry => lookups.run(entry)
}
