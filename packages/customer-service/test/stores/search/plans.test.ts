import t, { type Test } from 'tap'
import pg from 'pg'
import type { Filters, ListQuery, SortKey } from '../../../src/stores/search/query.js'
import { connect } from '@frontdesk/database/connect'
import type { Connection } from '@frontdesk/database/connection'
import { Engine } from '../../../src/stores/search/engine.js'
import { Search } from '../../../src/stores/search/search.js'
import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import { build } from '../../support/helper.js'

export const onBothDatabases = true

const ROWS = 100_000

/** 100,000 customers: names of 900 given and 1,000 family names, addresses that many share, ages from 0 to 99. */
const numbers = onPostgresql
  ? `SELECT i FROM generate_series(1, ${ROWS}) AS i`
  : `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i FROM n`
const moment = onPostgresql
  ? "timestamp '2026-01-01' + i % 90000 * interval '1 second'"
  : "strftime('%Y-%m-%dT%H:%M:%S.000+00:00', '2026-01-01', '+' || (i % 90000) || ' seconds')"
const fill = `
  INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at, name_fold, name_words, address_words)
    SELECT i, name, name, i % 100, 'Street ' || (i % 500), 1, at, at, lower(name), ' ' || lower(name), ' street ' || (i % 500)
    FROM (SELECT i, 'Given' || (i % 900) || ' Family' || (i % 1000) AS name, ${moment} AS at FROM (${numbers}) AS number) AS customer`

/** Each alone finds few, many or all customers; together they are every kind of list. */
const FILTERS: Filters[] = [
  { name: 'given7 family7' },
  { namePrefix: 'g' },
  { namePrefix: 'given77' },
  { words: ['given77'] },
  { words: ['street', 'given77', 'family77'] },
  { words: ['given', 'fam', 'street'] },
  { words: ['7'], or: { id: 7, minAge: 7, maxAge: 7 }, text: '7' },
  { minAge: 99 },
  { minAge: 1, maxAge: 90 },
  { updatedSince: new Date('2026-01-01') },
  { updatedSince: new Date('2026-01-02T00:50:00Z') }
].map(some => ({ words: [], ...some }))

/** Each order, as a query of our own says it. */
const ORDERS: Record<SortKey, string> = {
  id: 'id', name: 'name_fold, id', age: 'age, id', address: 'address_words, id', updated: 'updated_at, id'
}

/** A search that records its statements. */
function overheard (run: Connection['run']) {
  const said = new Map<string, readonly unknown[]>()
  // as: a search needs to know the dialect, and a way to run statements.
  const connection = {
    dialect: onPostgresql ? 'postgresql' : 'sqlite',
    run: query => {
      said.set(query.sql, query.args)
      return run(query)
    }
  } as Pick<Connection, 'run'> & object as Connection
  return { search: new Search(Engine.on(connection), async () => {}), said }
}

/** How a database goes about a statement; PostgreSQL with these values, and with any. */
async function plansOf (t: Test, url: string, run: Connection['run']): Promise<(sql: string, args: readonly unknown[]) => Promise<string>> {
  if (!onPostgresql) {
    return async (sql, args) => (await run({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })).map(row => row[3]).join('\n')
  }
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  return async (sql, args) => {
    const write = (value: unknown) =>
      value instanceof Date ? value.toISOString().replace('Z', '') : Array.isArray(value) ? `{${value.join()}}` : String(value)
    const values = args.map(value => pg.escapeLiteral(write(value))).join(', ')
    await client.query(`PREPARE asked AS ${sql}`)
    let plans = ''
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`)
      plans += (await client.query(`EXPLAIN EXECUTE asked (${values})`)).rows.map(row => row['QUERY PLAN']).join('\n')
    }
    await client.query('DEALLOCATE asked')
    return plans
  }
}

/** Each matches thousands, and together few: but for the age, in the words of an index. */
const SPARSE: Filters = { words: ['given1', 'family5'], minAge: 95, maxAge: 99 }

const IS_SPARSE = "name_words LIKE '% given1%' AND name_words LIKE '% family5%' AND age >= 95"

/** Few, of three indexes. */
const EITHER: Filters = { words: ['given899'], or: { id: 5, minAge: 42, maxAge: 42 } }
const IS_EITHER = "name_words LIKE '% given899%' OR id = 5 OR age = 42"

if (onPostgresql) {
  t.test('plans that are made while the table is new read no range as a whole, either', async t => {
    const { config } = await build(t)
    const connection = await connect(config.databaseUrl, { ...config.database, poolSize: 1, applicationName: 'test' })
    t.teardown(connection.close)
    await connection.run({ sql: 'ALTER TABLE customer SET (autovacuum_enabled = off)', args: [] })
    for (const rows of [0, 200]) {
      await connection.run({ sql: fill.replace(`${ROWS}`, `${rows}`), args: [] })
      const { search, said } = overheard(connection.run)
      for (const filters of [...FILTERS, SPARSE, EITHER, { words: [] }]) {
        await search.count(filters)
        for (const sort of Object.keys(ORDERS) as SortKey[]) {
          for (const descending of [false, true]) await search.list({ filters, sort, descending, limit: 50 })
        }
      }
      for (const [sql, args] of [...said].filter(([sql]) => !sql.includes('pg_stats'))) {
        await connection.run({ sql: `PREPARE asked AS ${sql}`, args: [] })
        const plan = (await connection.run({ sql: `EXPLAIN EXECUTE asked (${args.map(() => 'NULL').join()})`, args: [] })).join('\n')
        await connection.run({ sql: 'DEALLOCATE asked', args: [] })
        // A bitmap has the whole range before the first row. The full-text index has no other way.
        t.notMatch(plan, /Seq Scan|Bitmap Index Scan on (?!customer_words_idx)/, sql)
      }
    }
  })
}

t.test('every kind of list is served by an index at 100,000 customers', async t => {
  const { run, config } = await build(t)
  const connection = await connectTo(config.databaseUrl)
  t.teardown(() => connection.close())
  await connection.query(fill)
  // Autovacuum does this on PostgreSQL.
  if (onPostgresql) await connection.query('VACUUM ANALYZE')
  const { search, said } = overheard(run)
  const combined = FILTERS.flatMap((one, index) =>
    FILTERS.slice(index).map(other => ({ ...one, ...other, words: [...one.words, ...other.words] }))
  )
  let slowest = 0
  for (const [index, filters] of [{ words: [] }, ...combined].entries()) {
    await search.count(filters)
    for (const sort of Object.keys(ORDERS) as SortKey[]) {
      const query: ListQuery = { filters, sort, descending: index % 2 === 1, limit: 50 }
      const begin = performance.now()
      const { customers, next } = await search.list(query)
      if (next !== null) t.ok(customers.length > 0, JSON.stringify(query))
      slowest = Math.max(slowest, performance.now() - begin)
      if (next !== null) await search.list({ ...query, after: next })
    }
  }
  t.comment(`the slowest page took ${Math.round(slowest)} ms`)
  t.ok(said.size > 30, `${said.size} statements`)
  t.ok(said.size < 150, 'few enough that PostgreSQL keeps them all')

  // What is rare among much is found at once, and in order.
  for (const [sort, order] of Object.entries(ORDERS) as Array<[SortKey, string]>) {
    for (const [filters, descending] of [[SPARSE, false], [SPARSE, true], [EITHER, false], [EITHER, true]] as const) {
      const wanted = await run({ sql: `SELECT id FROM customer WHERE ${filters === SPARSE ? IS_SPARSE : IS_EITHER} ORDER BY ${order}`, args: [] })
      const first = await search.list({ filters, sort, descending, limit: 50 })
      t.equal(first.customers.length, 50)
      const ids = first.customers.map(({ id }) => id)
      for (let after = first.next; after !== null;) {
        const page = await search.list({ filters, sort, descending, limit: 50, after })
        ids.push(...page.customers.map(({ id }) => id))
        after = page.next
      }
      t.same(descending ? ids.reverse() : ids, wanted.map(([id]) => id), sort)
    }
  }
  const rare = { ...SPARSE, words: ['given1', 'family599'] }
  const { customers, next } = await search.list({ filters: rare, sort: 'name', descending: false, limit: 200 })
  t.equal(next, null)
  t.ok(customers.length > 0, `${customers.length} customers`)

  t.same(await search.count(EITHER), { count: 1_112, more: false })
  t.same(await search.count({ words: ['street'] }), { count: 10_000, more: true })
  // PostgreSQL counts among the first 10,001 customers, since every customer has the word.
  const several = { count: onPostgresql ? 5_000 : 1_000, more: true }
  t.same(await search.count({ words: ['street'], minAge: 50 }), several, 'of several filters, the first thousand that one finds')

  const planOf = await plansOf(t, config.databaseUrl, run)
  // The planner's own statistics have no index of ours.
  for (const [sql, args] of [...said].filter(([sql]) => !sql.includes('pg_stats'))) {
    const plan = await planOf(sql, args)
    // An index gives each order: nothing is sorted to skip customers in it.
    if (/ORDER BY .* OFFSET/.test(sql)) t.notMatch(plan, /Sort|TEMP B-TREE/, sql)
    t.notMatch(plan, onPostgresql ? /Seq Scan/ : /SCAN customer(?!_words VIRTUAL TABLE INDEX \d+:M)/, sql)
  }
})
