import pg from 'pg'
import { serveCustomers } from './customers.js'
import { wordsOf } from './words.js'

/** The table of customer-service with its full-text index: a prepared statement and a transaction for each request. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const prepared = (name, text) => async (...values) => await pool.query({ name, text, values })

const select = prepared('select', 'SELECT name FROM customer WHERE id = $1')
const insert = prepared('insert', `
  INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at, name_fold, name_words, address_words)
  VALUES ($1, $2::text, $2::text, $3, $4, 1, now(), now(), lower($2::text), $5, $6) ON CONFLICT DO NOTHING`)
const update = prepared('update',
  'UPDATE customer SET address = $1, address_words = $2, version = version + 1, updated_at = now() WHERE name_key = $3')
const remove = prepared('remove', 'DELETE FROM customer WHERE id = $1')

await serveCustomers({
  find: async id => (await select(id)).rows[0],
  add: async (id, name, age, address) => (await insert(id, name, age, address, wordsOf(name), wordsOf(address))).rowCount,
  move: async (address, name) => (await update(address, wordsOf(address), name)).rowCount,
  remove: async id => (await remove(id)).rowCount
})
