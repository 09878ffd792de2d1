import { freePort } from '@frontdesk/test-kit/free-port'
import { startServer } from '../machine/server.js'
import { measure } from '../measure.js'
import { digits, table } from '../report/table.js'
import { median } from '../rows.js'

const TARGET = 'customer-service-postgresql'

/**
 * One and two replicas of customer-service on one PostgreSQL. Two share a core, so that the cost of a replica shows in the CPU time
 * of a request: if that is unchanged, two cores would serve twice as much. Each has 32 connections.
 */
export default async function replicas (targets, subjects, options) {
  if (!targets.has(TARGET)) return []
  const subject = await subjects.start(TARGET)
  const port = await freePort()
  const { context, target } = subject
  const second = await startServer(target.start({ ...context, port }), { ...context, port })
  const two = { ...subject, servers: [...subject.servers, second], ports: [...subject.ports, port] }
  try {
    const rows = []
    for (const workload of ['get', 'post']) rows.push(await compare(workload, subject, two, options))
    console.log(
      table(
        'replicas: customer-service on one PostgreSQL, one and two of them on one core',
        ['workload', 'CPU µs, one', 'CPU µs, two', 'requests/s, one', 'requests/s, two', 'CPU two ÷ one'],
        rows.map(({ workload, one, two }) => [
          workload,
          digits(one.cpu),
          digits(two.cpu),
          digits(one.rate),
          digits(two.rate),
          (two.cpu / one.cpu).toFixed(2)
        ])
      )
    )
    return rows.map(row => ({ ...row, workload: `replicas ${row.workload}`, target: TARGET }))
  } finally {
    await second.stop()
    await subjects.stop([TARGET])
  }
}

async function compare (workload, one, two, { rounds, seconds, warmUp }) {
  const measured = { one: [], two: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, subject] of [['one', one], ['two', two]]) {
      measured[name].push(await measure(subject, workload, { seconds, warmUp, connections: 32 * subject.ports.length }))
    }
  }
  const middle = (name, key) => median(measured[name].map(it => it[key]))
  const failure = [...measured.one, ...measured.two].find(it => it.failure !== undefined)?.failure
  return {
    workload,
    failure,
    one: { cpu: middle('one', 'cpu'), rate: middle('one', 'rate') },
    two: { cpu: middle('two', 'cpu'), rate: middle('two', 'rate') },
    rounds: measured
  }
}
