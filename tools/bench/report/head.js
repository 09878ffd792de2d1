import { cpus, totalmem } from 'node:os'
import { cores } from '../machine/cores.js'

/** Where and how a run measures, for the head of its table. */
export function head ({ rounds, seconds, connections, customers, compare }) {
  const [{ model }] = cpus()
  return [
    `${model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB; Node.js ${process.version}; ${new Date().toISOString().slice(0, 10)}.`,
    cores === undefined
      ? 'Nothing is pinned: there is no second core or no taskset. Take the ratios with care.'
      : `Servers on core ${cores.server}, PostgreSQL on the same core, load generator on core ${cores.load}.`,
    `${rounds} rounds of ${seconds} s, interleaved, medians; ${connections.join(', ')} connections; ${customers.toLocaleString('en-US')} customers.`,
    compare === undefined
      ? '× is to the baseline of the same run and database, more is better; p50 ÷ likewise, less is better; ~: something else took more than a quarter of the core.'
      : '× is to the commit, less is better: CPU per request, PostgreSQL included, and time per request.'
  ].join('\n')
}
