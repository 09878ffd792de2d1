import Database from 'better-sqlite3'
import { serveCustomers } from './customers.js'

/** A prepared statement for each request, and a durable transaction for each write. */
const database = new Database(process.env.DATABASE_FILE)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

const select = database.prepare('SELECT name FROM customer WHERE id = ?')
const first = database.prepare('SELECT id, name, age, address FROM customer ORDER BY id LIMIT 50')
const named = database.prepare('SELECT id, name, age, address FROM customer WHERE name = ? ORDER BY id LIMIT 50')
const insert = database.prepare('INSERT INTO customer (id, name, age, address) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
const update = database.prepare('UPDATE customer SET address = ? WHERE name = ?')
const updateOne = database.prepare('UPDATE customer SET address = ? WHERE id = ?')
const remove = database.prepare('DELETE FROM customer WHERE id = ?')

await serveCustomers({
  find: id => select.get(id),
  list: () => first.all(),
  search: name => named.all(name),
  add: (...values) => insert.run(...values).changes,
  move: (...values) => update.run(...values).changes,
  moveOne: (...values) => updateOne.run(...values).changes,
  remove: id => remove.run(id).changes
})
