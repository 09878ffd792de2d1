import Database from 'better-sqlite3'
import { serveCustomers } from './customers.js'

/** A prepared statement for each request, and a durable transaction for each write. */
const database = new Database(process.env.DATABASE_FILE)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

const select = database.prepare('SELECT name FROM customer WHERE id = ?')
const insert = database.prepare('INSERT INTO customer (id, name, age, address) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
const update = database.prepare('UPDATE customer SET address = ? WHERE name = ?')
const remove = database.prepare('DELETE FROM customer WHERE id = ?')

await serveCustomers({
  find: id => select.get(id),
  add: (...values) => insert.run(...values).changes,
  move: (...values) => update.run(...values).changes,
  remove: id => remove.run(id).changes
})
