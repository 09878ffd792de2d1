import type { Connection } from '@frontdesk/database/connection'
import type { Indexed, Value } from './bounds.js'
import { hundredthMatches, plannerStatistics, type Frequencies } from './frequencies.js'
import { indexTerm, lookupTerms } from './full-text.js'
import type { Filters } from './query.js'
import { hasWords, toPostgresql, type Provider } from './statements.js'

/**
 * Maximum matches of the rarest word that the full-text index reads for a page; `last`: if the page would be empty otherwise.
 * PostgreSQL reads 20,000 in 4 ms. SQLite intersects eight words of 200,000 each in 45 ms.
 */
const MAX_READ = { postgres: { found: 20_000, last: 500_000 }, sqlite: { found: 100_000, last: 100_000 } }

/** Maximum matches to sort for a page; `last`: if the page would be empty otherwise. */
export const MAX_SORTED = { found: 1_500, last: 5_000 }

/** Words of more customers than this are too frequent to look up in addition to a rarer one. */
const MAX_PERCENT = 25

/** Runs the statements of searches, and knows how frequent words are. */
export class Engine {
  readonly provider: Provider
  readonly #run: Connection['run']
  readonly #frequencies: Frequencies

  constructor (provider: Provider, run: Connection['run'], frequencies: Frequencies) {
    this.provider = provider
    this.#run = run
    this.#frequencies = frequencies
  }

  static on ({ dialect, run }: Connection): Engine {
    return dialect === 'postgresql'
      ? new Engine('postgres', run, plannerStatistics(run))
      : new Engine('sqlite', run, hundredthMatches(run))
  }

  /** The same engine on another connection. */
  through (run: Connection['run']): Engine {
    return new Engine(this.provider, run, this.#frequencies)
  }

  /** Runs a statement of `statements.ts`; returns the driver's rows. */
  async run (sql: string, values: Value[]): Promise<unknown[][]> {
    return await this.#run({ sql: this.provider === 'postgres' ? toPostgresql(sql) : sql, args: values })
  }

  /** The filters that are worth looking up: without very frequent words and, on PostgreSQL, without several ages. */
  async selective (all: Filters): Promise<Filters> {
    const { minAge, maxAge, ...others } = all
    const filters = this.provider === 'sqlite' || minAge === maxAge ? all : others
    const terms = lookupTerms(filters.words)
    if (terms.length < 2) return filters
    const frequencies = await this.#frequencies(terms.map(indexTerm))
    const rare = terms.filter((_, index) => frequencies[index]!.percent <= MAX_PERCENT)
    return rare.length === 0 || rare.length === terms.length ? filters : { ...filters, words: rare }
  }

  /** Whether the full-text index would read too much: PostgreSQL's reads all matches of the rarest word before it returns one. */
  async isCommon ({ source, terms, isOneTerm }: Indexed, work: keyof typeof MAX_SORTED): Promise<boolean> {
    // SQLite returns the matches of a single word as it reads them.
    if (!hasWords(source) || (isOneTerm && this.provider === 'sqlite')) return false
    // With a single word, all matches would be sorted.
    const most = isOneTerm ? MAX_SORTED[work] : MAX_READ[this.provider][work]
    const frequencies = await this.#frequencies(terms)
    return Math.min(...frequencies.map(({ count }) => count)) > most
  }
}
