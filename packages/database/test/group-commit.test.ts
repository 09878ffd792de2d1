import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../src/connect.js'

const options = { poolSize: 1, connectTimeout: 1_000, statementTimeout: 1_500, createsFolder: true, tls: false, tlsCa: undefined, preparedStatements: 'auto', applicationName: 'test' } as const
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

async function open (t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const file = join(directory, 'group.db')
  const { run, transact, close } = await connect(`file:${file}`, options)
  t.teardown(async () => {
    await close()
    rmSync(directory, { recursive: true })
  })
  const ask = (sql: string) => run({ sql, args: [] })
  await ask('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)')
  return {
    ask,
    insert: (id: number) => ask(`INSERT INTO note (id) VALUES (${id}) RETURNING id`),
    insertAll: (ids: number[]) => transact(function * () { for (const id of ids) yield { sql: `INSERT INTO note (id) VALUES (${id})`, args: [] } }),
    ids: async () => (await ask('SELECT id FROM note ORDER BY id')).flat().map(Number),
    /** How often pages were written: a commit writes each page once. */
    pages: () => Math.floor(statSync(`${file}-wal`).size / 4_096)
  }
}

t.test('writes that begin at once share a commit, 64 at most, and each gets its own rows', async t => {
  const { insert, ids, pages } = await open(t)
  const before = pages()
  t.same(await Promise.all(numbers(100).map(insert)), numbers(100).map(id => [[id]]))
  t.ok(pages() - before <= 4, `${pages() - before} pages`)
  t.same(await ids(), numbers(100))
})

t.test('a statement or transaction that fails is undone alone', async t => {
  const { insert, insertAll, ids } = await open(t)
  await insert(1)
  const results = await Promise.allSettled([insert(2), insert(1), insertAll([3, 4]), insertAll([5, 1]), insert(6)])
  t.same(results.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  t.same(await ids(), [1, 2, 3, 4, 6])
})

t.test('when the disk is full, nothing of a group is done', async t => {
  const { ask, insert, ids } = await open(t)
  await insert(1)
  await ask('PRAGMA max_page_count = 2')
  const large = ask("INSERT INTO note (id, text) VALUES (3, printf('%.100000c', 'x'))")
  const results = await Promise.allSettled([insert(2), large, insert(4)])
  t.same(new Set(results.map(it => it.status === 'rejected' && it.reason.code)), new Set(['SQLITE_FULL']))
  t.same(await ids(), [1])
  await ask('PRAGMA max_page_count = 1000')
  await insert(5)
  t.same(await ids(), [1, 5])
})
