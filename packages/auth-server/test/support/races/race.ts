import type { Test } from 'tap'
import { build, type Built } from '../helper.js'
import { beginLane, beginRound, LANES, survives, type Outcome, type Round } from './in-flight.js'

const ROUNDS = 25
const lanes = Array.from({ length: LANES }, (_, lane) => lane)

/** What ends access. */
export interface Ending {
  readonly name: string
  readonly end: (stores: Built['stores'], round: Round) => Promise<unknown>
  /** Lets the person or the client go on. */
  readonly goOn?: (stores: Built['stores'], round: Round) => Promise<unknown>
  /** Whether it ends sessions too. */
  readonly endsSessions: boolean
}

/** Ends access in each round while requests are in flight, some of them before and some after, and looks for what survives. */
export async function race (t: Test, { end, goOn, endsSessions }: Ending): Promise<void> {
  const built = await build(t)
  const outcomes: Array<[Round, Outcome]> = []
  for (let i = 0; i < ROUNDS; i++) {
    const round = await beginRound(built)
    const begun = await Promise.all(lanes.map(async lane => await beginLane(built, round, lane)))
    let done = 0
    let signal = () => {}
    const started = new Promise<void>(resolve => { signal = resolve })
    const count = () => { if (++done > i % 10) signal() }
    const ended = started.then(async () => { await end(built.stores, round) })
    const all = await Promise.all(begun.map(async finish => await finish().finally(count)))
    await ended
    await goOn?.(built.stores, round)
    for (const outcome of all) if (outcome !== null && (endsSessions || !('session' in outcome))) outcomes.push([round, outcome])
  }
  t.ok(outcomes.length > ROUNDS, `${outcomes.length} of ${ROUNDS * LANES} were given before access ended`)
  const survivors = async () => {
    const found: Array<string | null> = []
    for (let from = 0; from < outcomes.length; from += LANES) {
      found.push(
        ...(await Promise.all(outcomes.slice(from, from + LANES).map(async ([round, outcome]) => await survives(built, round, outcome))))
      )
    }
    return found.filter(it => it !== null)
  }
  t.same(await survivors(), [], 'none survives')

  const past = new Date(Date.now() + 200 * 86_400_000)
  // The grants and tokens themselves last: that they are revoked must not be forgotten before.
  for (const table of ['revocation', 'session', 'code'] as const) await built.stores.removeExpired(table, past)
  // Access tokens have expired by then.
  t.same((await survivors()).filter(it => it !== 'access token'), [], 'none revives after a clean-up of what was revoked')
  for (const table of ['grant', 'refresh token'] as const) await built.stores.removeExpired(table, past)
  t.same((await survivors()).filter(it => it !== 'access token'), [], 'nor after a clean-up of the rest')
}
