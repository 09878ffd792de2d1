import type { Connection } from '@frontdesk/database/connection'
import { decodeRows } from '@frontdesk/database/rows'

/** How frequent terms of the full-text index are. */
export interface Frequencies {
  /** A number for each term, the greater the more customers have it; 0 if few have. @throws what the database throws */
  of (terms: readonly string[]): Promise<number[]>
}

/** How long the statistics of PostgreSQL are used, in milliseconds: it updates them about once a minute. */
const TTL_MS = 60_000

/** A thousand terms, with how many customers have each. There are statistics after the first ANALYZE. */
const READ = `SELECT common.term, CAST(common.frequency * reltuples AS bigint)
  FROM pg_class, pg_stats, unnest(CAST(CAST(most_common_elems AS text) AS text[]), most_common_elem_freqs) AS common (term, frequency)
  WHERE pg_class.oid = CAST('customer' AS regclass) AND schemaname = current_schema() AND pg_stats.tablename = 'customer_words_idx'
    AND common.term IS NOT NULL`

/** By the statistics of PostgreSQL's planner: how many customers have a term, of the thousand most frequent ones. */
export class PlannerStatistics implements Frequencies {
  readonly #run: Connection['run']
  #counts: ReadonlyMap<string, number> = new Map()
  #readAt = -Infinity

  constructor (run: Connection['run']) {
    this.#run = run
  }

  async of (terms: readonly string[]) {
    if (performance.now() - this.#readAt > TTL_MS) {
      this.#readAt = performance.now()
      const rows = await this.#run({ sql: READ, args: [], argTypes: [] })
      this.#counts = new Map(decodeRows({ term: 'string', count: 'int' }, rows).map(({ term, count }) => [term, count]))
    }
    return terms.map(term => this.#counts.get(term) ?? 0)
  }
}

/** The hundredth customer that has a term. FTS5 finds it in 50 µs; the more have the term, the lower is its identifier. */
const HUNDREDTH = 'SELECT rowid FROM customer_words WHERE customer_words MATCH ? LIMIT 1 OFFSET 99'

/** By the hundredth match of FTS5, which compares terms with each other. */
export class HundredthMatches implements Frequencies {
  readonly #run: Connection['run']

  constructor (run: Connection['run']) {
    this.#run = run
  }

  async of (terms: readonly string[]) {
    return await Promise.all(terms.map(async term => {
      const [row] = await this.#run({ sql: HUNDREDTH, args: [`"${term}" *`], argTypes: [{ scalarType: 'string', arity: 'scalar' }] })
      return row === undefined ? 0 : 1 / Number(row[0])
    }))
  }
}
