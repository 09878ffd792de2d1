import type { Connection } from '@frontdesk/database/connection'
import { decodeRows } from '@frontdesk/database/rows'

/** About how many customers have a term of the full-text index, and how many of a hundred; 0 if few. */
export interface Frequency { readonly count: number, readonly percent: number }

/** How frequent terms of the full-text index are. */
export interface Frequencies {
  /** @throws what the database throws */
  of (terms: readonly string[]): Promise<Frequency[]>
}

const FREQUENCY = { count: 'int', percent: 'int' } as const
const FEW = { count: 0, percent: 0 }

/** How long the statistics of PostgreSQL are used, in milliseconds: it updates them about once a minute. */
const TTL_MS = 60_000

/** The thousand most frequent terms. There are statistics after the first ANALYZE. */
const READ = `SELECT common.term, CAST(common.frequency * reltuples AS bigint), CAST(common.frequency * 100 AS integer)
  FROM pg_class, pg_stats, unnest(CAST(CAST(most_common_elems AS text) AS text[]), most_common_elem_freqs) AS common (term, frequency)
  WHERE pg_class.oid = CAST('customer' AS regclass) AND schemaname = current_schema() AND pg_stats.tablename = 'customer_words_idx'
    AND common.term IS NOT NULL`

/** By the statistics of PostgreSQL's planner. */
export class PlannerStatistics implements Frequencies {
  readonly #run: Connection['run']
  #terms: ReadonlyMap<string, Frequency> = new Map()
  #readAt = -Infinity

  constructor (run: Connection['run']) {
    this.#run = run
  }

  async of (terms: readonly string[]) {
    if (performance.now() - this.#readAt > TTL_MS) {
      this.#readAt = performance.now()
      const rows = await this.#run({ sql: READ, args: [] })
      this.#terms = new Map(decodeRows({ term: 'string', ...FREQUENCY }, rows).map(row => [row.term, row]))
    }
    return terms.map(term => this.#terms.get(term) ?? FEW)
  }
}

/**
 * FTS5 finds the hundredth match of a term in 50 µs. The lower its identifier among all, the more have the term: an estimate, since
 * identifiers need not be dense.
 */
const ESTIMATE = `SELECT 100 * (greatest - least + 1) / (rowid - least + 1), 10000 / (rowid - least + 1)
  FROM customer_words, (SELECT (SELECT MIN(id) FROM customer) AS least, (SELECT MAX(id) FROM customer) AS greatest)
  WHERE customer_words MATCH ? LIMIT 1 OFFSET 99`

/** By the hundredth match of FTS5. */
export class HundredthMatches implements Frequencies {
  readonly #run: Connection['run']

  constructor (run: Connection['run']) {
    this.#run = run
  }

  async of (terms: readonly string[]) {
    return await Promise.all(terms.map(async term => {
      const rows = await this.#run({ sql: ESTIMATE, args: [`"${term}" *`] })
      return decodeRows(FREQUENCY, rows)[0] ?? FEW
    }))
  }
}
