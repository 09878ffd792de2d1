import pg from 'pg'
import { serveCustomers } from './customers.js'
import { wordsOf } from './words.js'

/** The tables of customer-service: one prepared statement a request, which updates the search index, too. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const prepared = (name, text) => async (...values) => await pool.query({ name, text, values })

const select = prepared('select', 'SELECT name FROM customer WHERE id = $1')
const insert = prepared('insert', `
  WITH added AS (
    INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at)
    VALUES ($1, $2::text, $2::text, $3, $4, 1, now(), now()) ON CONFLICT DO NOTHING RETURNING id, name, age, updated_at
  ), listed AS (
    INSERT INTO listed_customer (id, name_fold, words, age, updated_at)
    SELECT id, lower(name), ' ' || array_to_string($5::text[], ' '), age, updated_at FROM added
  ), words AS (
    INSERT INTO listed_word (word, customer_id) SELECT word, id FROM added, unnest($5::text[]) AS word
  )
  SELECT id FROM added`)
const update = prepared('update', `
  WITH moved AS (
    UPDATE customer SET address = $1, version = version + 1, updated_at = now() WHERE name_key = $2 RETURNING id, updated_at
  ), known AS (
    SELECT id, string_to_array(ltrim(words), ' ') AS words FROM listed_customer JOIN moved USING (id)
  ), listed AS (
    UPDATE listed_customer SET words = ' ' || array_to_string($3::text[], ' '), updated_at = moved.updated_at
    FROM moved WHERE listed_customer.id = moved.id
  ), removed AS (
    DELETE FROM listed_word USING known, unnest(known.words) AS old (word)
    WHERE listed_word.word = old.word AND customer_id = known.id AND old.word <> ALL ($3::text[])
  ), added AS (
    INSERT INTO listed_word (word, customer_id) SELECT word, id FROM known, unnest($3::text[]) AS word WHERE word <> ALL (known.words)
    ON CONFLICT DO NOTHING
  )
  SELECT id FROM moved`)
const remove = prepared('remove', `
  WITH removed AS (
    DELETE FROM customer WHERE id = $1 RETURNING id
  ), known AS (
    DELETE FROM listed_customer USING removed WHERE listed_customer.id = removed.id RETURNING listed_customer.id, words
  ), words AS (
    DELETE FROM listed_word USING known, unnest(string_to_array(ltrim(known.words), ' ')) AS old (word)
    WHERE listed_word.word = old.word AND customer_id = known.id
  )
  SELECT id FROM removed`)

await serveCustomers({
  find: async id => (await select(id)).rows[0],
  add: async (id, name, age, address) => (await insert(id, name, age, address, wordsOf(name, address))).rowCount,
  move: async (address, name) => (await update(address, name, wordsOf(name, address))).rowCount,
  remove: async id => (await remove(id)).rowCount
})
