import type { Standby } from '@frontdesk/database/standby'
import type { Engine } from './engine.js'
import type { Filters, ListQuery, Lists } from './query.js'
import { Search } from './search.js'

/** Lists and counts customers on a standby; on the primary while that lags or fails. */
export class StandbySearch implements Lists {
  readonly #standby: Standby
  readonly #engine: Engine
  readonly #catchUp: () => Promise<void>

  /**
   * @param engine of the primary
   * @param catchUp resolves when customers that other clients wrote can be found, on the primary
   */
  constructor (standby: Standby, engine: Engine, catchUp: () => Promise<void>) {
    this.#standby = standby
    this.#engine = engine
    this.#catchUp = catchUp
  }

  readonly list = async (query: ListQuery) => await this.#read(search => search.list(query))

  readonly count = async (filters: Filters) => await this.#read(search => search.count(filters))

  async #read<T> (work: (search: Search) => Promise<T>): Promise<T> {
    // First, because the standby cannot write.
    await this.#catchUp()
    const on = (engine: Engine) => work(new Search(engine, async () => {}))
    return await this.#standby.read(run => on(this.#engine.through(run))) ?? await on(this.#engine)
  }
}
