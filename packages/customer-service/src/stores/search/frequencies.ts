import type { Connection } from '@frontdesk/database/connection'
import { rowDecoder } from '@frontdesk/database/rows'

/** Estimated number and percentage of customers with a term; 0 if few. */
interface Frequency { readonly count: number, readonly percent: number }

/** Estimates how frequent terms of the full-text index are. @throws what the database throws */
export type Frequencies = (terms: readonly string[]) => Promise<Frequency[]>

const FREQUENCY = { count: 'int', percent: 'int' } as const
const decodeFrequency = rowDecoder(FREQUENCY)
const decodeTerms = rowDecoder({ term: 'string', ...FREQUENCY })
const FEW = { count: 0, percent: 0 }

/** How long to cache PostgreSQL's statistics, which it updates about once a minute. */
const TTL_MS = 60_000

/** The thousand most frequent terms; none before the first ANALYZE. */
const READ = `SELECT common.term, CAST(common.frequency * reltuples AS bigint), CAST(common.frequency * 100 AS integer)
  FROM pg_class, pg_stats, unnest(CAST(CAST(most_common_elems AS text) AS text[]), most_common_elem_freqs) AS common (term, frequency)
  WHERE pg_class.oid = CAST('customer' AS regclass) AND schemaname = current_schema() AND pg_stats.tablename = 'customer_words_idx'
    AND common.term IS NOT NULL`

/** Uses the statistics of PostgreSQL's planner. */
export function plannerStatistics (run: Connection['run']): Frequencies {
  let known: ReadonlyMap<string, Frequency> = new Map()
  let readAt = -Infinity
  return async terms => {
    if (performance.now() - readAt > TTL_MS) {
      readAt = performance.now()
      known = new Map(decodeTerms(await run({ sql: READ, args: [] })).map(row => [row.term, row]))
    }
    return terms.map(term => known.get(term) ?? FEW)
  }
}

/**
 * FTS5 finds the hundredth match of a term in 50 µs: the lower its identifier, the more customers have the term. An estimate,
 * since identifiers need not be dense.
 */
const ESTIMATE = `SELECT 100 * (greatest - least + 1) / (rowid - least + 1), 10000 / (rowid - least + 1)
  FROM customer_words, (SELECT (SELECT MIN(id) FROM customer) AS least, (SELECT MAX(id) FROM customer) AS greatest)
  WHERE customer_words MATCH ? LIMIT 1 OFFSET 99`

/** Uses the hundredth match of FTS5. */
export function hundredthMatches (run: Connection['run']): Frequencies {
  return async terms => await Promise.all(terms.map(async term =>
    decodeFrequency(await run({ sql: ESTIMATE, args: [`"${term}" *`] }))[0] ?? FEW))
}
