import type { Config } from '../../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { assertNoDemo } from '../../demo.js'
import type { Stores } from '../../stores/stores.js'

/** Checks that production has no usable demo accounts. */
export async function * checkDemo (stores: Stores, { production }: Pick<Config, 'production'>): AsyncGenerator<Finding> {
  const { ok, wrong } = findings('demo')
  if (!production) return
  try {
    await assertNoDemo(stores)
    yield ok('No demo account can be used.')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [sentence = '', commands] = error.message.split(/ (?=Run: )/)
    yield wrong(sentence, commands)
  }
}
