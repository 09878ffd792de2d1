import pg from 'pg'
import { serveCustomers } from './customers.js'

/** A prepared statement and a transaction for each request, on ten connections. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const prepared = (name, text) => values => pool.query({ name, text, values })

const select = prepared('select', 'SELECT name FROM customer WHERE id = $1')
const first = prepared('first', 'SELECT id, name, age, address FROM customer ORDER BY id LIMIT 50')
const named = prepared('named', 'SELECT id, name, age, address FROM customer WHERE name = $1 ORDER BY id LIMIT 50')
const insert = prepared('insert', 'INSERT INTO customer (id, name, age, address) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING')
const update = prepared('update', 'UPDATE customer SET address = $1 WHERE name = $2')
const updateOne = prepared('update one', 'UPDATE customer SET address = $1 WHERE id = $2')
const remove = prepared('remove', 'DELETE FROM customer WHERE id = $1')

await serveCustomers({
  find: async id => (await select([id])).rows[0],
  list: async () => (await first([])).rows,
  search: async name => (await named([name])).rows,
  add: async (...values) => (await insert(values)).rowCount,
  move: async (...values) => (await update(values)).rowCount,
  moveOne: async (...values) => (await updateOne(values)).rowCount,
  remove: async id => (await remove([id])).rowCount
})
