import pg from 'pg'
import { serveCustomers } from './customers.js'

/** A prepared statement and a transaction for each request, on ten connections. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const prepared = (name, text) => values => pool.query({ name, text, values })

const select = prepared('select', 'SELECT name FROM customer WHERE id = $1')
const insert = prepared('insert', 'INSERT INTO customer (id, name, age, address) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING')
const update = prepared('update', 'UPDATE customer SET address = $1 WHERE name = $2')
const remove = prepared('remove', 'DELETE FROM customer WHERE id = $1')

await serveCustomers({
  find: async id => (await select([id])).rows[0],
  add: async (...values) => (await insert(values)).rowCount,
  move: async (...values) => (await update(values)).rowCount,
  remove: async id => (await remove([id])).rowCount
})
