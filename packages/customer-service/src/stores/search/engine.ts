import type { Connection } from '@frontdesk/database/connection'
import { decodeRows, type Columns, type Row } from '@frontdesk/database/rows'
import type { Indexed, Value } from './bounds.js'
import { HundredthMatches, PlannerStatistics, type Frequencies } from './frequencies.js'
import { termOf } from './full-text.js'
import type { Filters } from './query.js'
import type { Provider } from './statements.js'

/**
 * Most matches of the rarest of several words that PostgreSQL's index reads for a page, which takes 4 ms; and rather than give an
 * empty one.
 */
const MAX_READ = { found: 20_000, last: 500_000 }

/** Most matches that are sorted for a page; and rather than give an empty one. */
export const MAX_SORTED = { found: 1_500, last: 5_000 }

/** How many times as frequent as the rarest word another one is, so that it is not looked up. */
const MUCH_MORE_FREQUENT = 10

/** How a search uses the database. */
export class Engine {
  readonly provider: Provider
  readonly #connection: Connection
  readonly #frequencies: Frequencies

  constructor (connection: Connection) {
    this.provider = connection.adapter.provider === 'postgres' ? 'postgres' : 'sqlite'
    this.#connection = connection
    this.#frequencies = this.provider === 'postgres' ? new PlannerStatistics(connection.run) : new HundredthMatches(connection.run)
  }

  /** Runs a statement of `statements.ts`. */
  async run<C extends Columns> (columns: C, sql: string, values: Value[]): Promise<Array<Row<C>>> {
    return decodeRows(columns, await this.ask(sql, values))
  }

  /** Like {@link run}, but the rows are those of the driver. */
  async ask (sql: string, values: Value[]): Promise<unknown[][]> {
    let parameters = 0
    return await this.#connection.run({
      sql: this.provider === 'postgres' ? sql.replaceAll('?', () => `$${++parameters}`) : sql,
      args: values.map(([value]) => value),
      argTypes: values.map(([, scalarType]) => ({ scalarType, arity: 'scalar' }))
    })
  }

  /**
   * The filters without what is not worth looking up, but quickly compared in the matches of the rest: words that are far more
   * frequent than the rarest, and on PostgreSQL several ages.
   */
  async selective (all: Filters): Promise<Filters> {
    const { minAge, maxAge, ...others } = all
    const filters = this.provider === 'sqlite' || minAge === maxAge ? all : others
    const { words } = filters
    if (words.length < 2) return filters
    const frequencies = await this.#frequencies.of(words.map(termOf))
    const most = MUCH_MORE_FREQUENT * Math.min(...frequencies)
    const rare = words.filter((_, index) => frequencies[index]! <= most)
    return rare.length === words.length ? filters : { ...filters, words: rare }
  }

  /** Whether PostgreSQL's full-text index would read too much: it reads all matches of the rarest word before it gives the first. */
  async isCommon ({ source, terms, isOneTerm }: Indexed, work: keyof typeof MAX_READ): Promise<boolean> {
    if (this.provider === 'sqlite' || source !== 'words') return false
    // Of a word alone, more than may be sorted need not be read.
    const most = isOneTerm ? MAX_SORTED[work] : MAX_READ[work]
    return Math.min(...await this.#frequencies.of(terms)) > most
  }
}
