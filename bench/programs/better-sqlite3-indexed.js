import Database from 'better-sqlite3'
import { serveCustomers } from './customers.js'
import { wordsOf } from './words.js'

/** The tables of customer-service, the search index updated in the durable transaction of each request that writes. */
const database = new Database(process.env.DATABASE_FILE)
database.pragma('synchronous = FULL')

const now = () => new Date().toISOString()
const select = database.prepare('SELECT name FROM customer WHERE id = ?')
const selectKnown = database.prepare('SELECT id, name, address FROM customer WHERE id = ?')
const selectNamed = database.prepare('SELECT id, address FROM customer WHERE name_key = ?')
const insert = database.prepare(`INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at)
  VALUES (:id, :name, :name, :age, :address, 1, :now, :now) ON CONFLICT DO NOTHING`)
const update = database.prepare('UPDATE customer SET address = ?, version = version + 1, updated_at = ? WHERE id = ?')
const remove = database.prepare('DELETE FROM customer WHERE id = ?')
const list = database.prepare('INSERT INTO listed_customer (id, name_fold, words, age, updated_at) VALUES (?, ?, ?, ?, ?)')
const relist = database.prepare('UPDATE listed_customer SET words = ?, updated_at = ? WHERE id = ?')
const unlist = database.prepare('DELETE FROM listed_customer WHERE id = ?')
const addWord = database.prepare('INSERT INTO listed_word (word, customer_id) VALUES (?, ?)')
const removeWord = database.prepare('DELETE FROM listed_word WHERE word = ? AND customer_id = ?')

await serveCustomers({
  find: id => select.get(id),
  add: database.transaction((id, name, age, address) => {
    const at = now()
    if (insert.run({ id, name, age, address, now: at }).changes === 0) return 0
    const words = wordsOf(name, address)
    list.run(id, name.toLowerCase(), ` ${words.join(' ')}`, age, at)
    for (const word of words) addWord.run(word, id)
    return 1
  }),
  move: database.transaction((address, name) => {
    const known = selectNamed.get(name)
    if (known === undefined) return 0
    const at = now()
    const [before, after] = [wordsOf(name, known.address), wordsOf(name, address)]
    update.run(address, at, known.id)
    relist.run(` ${after.join(' ')}`, at, known.id)
    for (const word of before.filter(it => !after.includes(it))) removeWord.run(word, known.id)
    for (const word of after.filter(it => !before.includes(it))) addWord.run(word, known.id)
    return 1
  }),
  remove: database.transaction(id => {
    const known = selectKnown.get(id)
    if (known === undefined) return 0
    remove.run(id)
    unlist.run(id)
    for (const word of wordsOf(known.name, known.address)) removeWord.run(word, id)
    return 1
  })
})
