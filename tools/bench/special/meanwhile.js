import { drive } from '../load/drive.js'
import { at } from '../measure.js'
import { digits, table } from '../report/table.js'
import { median } from '../rows.js'

/** Pause of the only caller of `/authorize` after each response, in milliseconds. */
const CALLER = { connections: 1, pause: 2 }
/** Concurrent forms with a password. */
const SIGN_INS = 32

/** Measures `/authorize` for one caller on an idle server, and while passwords are checked. */
export default async function meanwhile (targets, subjects, options) {
  const names = [...targets]
    .filter(([, { group, workloads }]) => group === 'frontdesk' && workloads['sign-in'] !== undefined)
    .map(([name]) => name)
  const rows = []
  for (const name of names) rows.push(await measureBoth(name, subjects, options))
  console.log(
    table(
      'meanwhile: GET /authorize of one caller while passwords are checked, on one core',
      ['target', 'p50 ms idle', 'p50 ms meanwhile', 'p99 ms idle', 'p99 ms meanwhile', 'p99 ÷ idle', 'sign-ins/s'],
      rows.map(row =>
        row.failure === undefined
          ? [
              row.target,
              ...[row.idle.p50, row.busy.p50, row.idle.p99, row.busy.p99].map(digits),
              (row.busy.p99 / row.idle.p99).toFixed(1),
              digits(row.signIns)
            ]
          : [row.target, 'FAILED', '', '', '', '', row.failure]
      )
    )
  )
  return rows
}

async function measureBoth (name, subjects, { rounds, seconds, warmUp, smoke }) {
  const { context, ports, target: { workloads } } = await subjects.start(name)
  const authorize = async (seconds, caller = CALLER) => await drive({ ports, ...caller, seconds, load: await workloads.authorize(context) })
  const outcomes = [await authorize(warmUp, { connections: 32 })]
  const [idle, busy, signIns] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    outcomes.push(await authorize(seconds))
    idle.push(percentiles(outcomes.at(-1)))
    context.requests = Math.ceil((smoke ? 100 : 200) * seconds) + 2 * SIGN_INS
    const load = await workloads['sign-in'](context)
    const both = await Promise.all([drive({ ports, connections: SIGN_INS, seconds, load }), authorize(seconds)])
    outcomes.push(...both)
    signIns.push(both[0].count / both[0].seconds)
    busy.push(percentiles(both[1]))
  }
  await subjects.stop([name])
  const middle = list => ({ p50: median(list.map(it => it.p50)), p99: median(list.map(it => it.p99)) })
  return {
    workload: 'meanwhile',
    target: name,
    idle: middle(idle),
    busy: middle(busy),
    signIns: median(signIns),
    failure: outcomes.find(it => it.failure !== undefined)?.failure
  }
}

const percentiles = ({ latencies }) => ({ p50: at(latencies, 0.5), p99: at(latencies, 0.99) })
