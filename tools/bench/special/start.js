import { drive } from '../load/drive.js'
import { digits, table } from '../report/table.js'
import { median } from '../rows.js'

/** How long to send each of the requests below before reading memory, in seconds. */
const LOAD = 5

/** Measures the time from spawn to the first successful response, and memory before and after load. */
export default async function start (targets, subjects, { rounds }) {
  const rows = []
  const names = [...targets].filter(([, { group }]) => group === 'frontdesk').map(([name]) => name)
  for (const name of names) rows.push(await measureStart(name, subjects, rounds))
  console.log(
    table(
      'start: spawn to first good answer, and memory',
      ['target', 'start ms', 'RSS MB', 'RSS MB after load'],
      rows.map(row =>
        row.failure === undefined
          ? [row.target, digits(row.start), digits(row.idle), digits(row.rss)]
          : [row.target, 'FAILED', '', row.failure]
      )
    )
  )
  return rows
}

async function measureStart (target, subjects, rounds) {
  try {
    const times = []
    for (let round = 0; round < rounds; round++) {
      await subjects.stop([target])
      times.push((await subjects.start(target)).servers[0].started)
    }
    const { context, ports, target: { workloads } } = await subjects.prepare(target)
    const idle = subjects.rss(target)
    for (const name of ['authorize', 'flow', 'get', 'post'].filter(it => workloads[it] !== undefined)) {
      const { failure } = await drive({ ports, connections: 32, seconds: LOAD, load: await workloads[name](context) })
      if (failure !== undefined) throw new Error(failure)
    }
    return { workload: 'start', target, start: median(times), times, idle, rss: subjects.rss(target) }
  } catch (error) {
    return { workload: 'start', target, failure: error.message }
  } finally {
    await subjects.stop([target])
  }
}
