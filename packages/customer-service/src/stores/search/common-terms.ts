import type { Connection } from '@frontdesk/database/connection'
import { decodeRows } from '@frontdesk/database/rows'

/** How long the statistics are used, in milliseconds: PostgreSQL updates them about once a minute. */
const TTL_MS = 60_000

/** A thousand terms, with how many customers have each. There is a row of statistics after the first ANALYZE. */
const READ = `SELECT common.term, CAST(common.frequency * reltuples AS bigint)
  FROM pg_class, pg_stats, unnest(CAST(CAST(most_common_elems AS text) AS text[]), most_common_elem_freqs) AS common (term, frequency)
  WHERE pg_class.oid = CAST('customer' AS regclass) AND schemaname = current_schema() AND pg_stats.tablename = 'customer_words_idx'
    AND common.term IS NOT NULL`

/**
 * The terms that most customers have, by the statistics of PostgreSQL's planner. Its full-text index reads all matches of
 * the rarest term of a query before it gives the first one.
 */
export class CommonTerms {
  readonly #run: Connection['run']
  #counts: ReadonlyMap<string, number> = new Map()
  #readAt = -Infinity

  constructor (run: Connection['run']) {
    this.#run = run
  }

  /** How many customers have the rarest of these terms; 0 if it is none of the thousand. @throws what the database throws */
  async fewest (terms: readonly string[]): Promise<number> {
    if (performance.now() - this.#readAt > TTL_MS) {
      this.#readAt = performance.now()
      const rows = await this.#run({ sql: READ, args: [], argTypes: [] })
      this.#counts = new Map(decodeRows({ term: 'string', count: 'int' }, rows).map(({ term, count }) => [term, count]))
    }
    return Math.min(...terms.map(term => this.#counts.get(term) ?? 0))
  }
}
