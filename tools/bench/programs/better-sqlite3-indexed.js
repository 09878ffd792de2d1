import Database from 'better-sqlite3'
import { serveCustomers } from './customers.js'
import { wordsOf } from './words.js'

/** The table of customer-service with its full-text index: a prepared statement and a durable transaction for each request. */
const database = new Database(process.env.DATABASE_FILE)
database.pragma('synchronous = FULL')

const now = () => new Date().toISOString()
const select = database.prepare('SELECT name FROM customer WHERE id = ?')
const insert = database.prepare(`
  INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at, name_fold, name_words, address_words)
  VALUES (:id, :name, :name, :age, :address, 1, :now, :now, lower(:name), :nameWords, :addressWords) ON CONFLICT DO NOTHING`)
const update = database.prepare(
  'UPDATE customer SET address = ?, address_words = ?, version = version + 1, updated_at = ? WHERE name_key = ?')
const remove = database.prepare('DELETE FROM customer WHERE id = ?')

await serveCustomers({
  find: id => select.get(id),
  add: (id, name, age, address) =>
    insert.run({ id, name, age, address, now: now(), nameWords: wordsOf(name), addressWords: wordsOf(address) }).changes,
  move: (address, name) => update.run(address, wordsOf(address), now(), name).changes,
  remove: id => remove.run(id).changes
})
