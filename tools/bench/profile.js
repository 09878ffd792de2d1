import { readFlags } from './flags.js'
import { measure } from './measure.js'
import { selfTimes } from './profile/self-times.js'
import { table } from './report/table.js'
import { run } from './run.js'
import { loadTargets, startedAs } from './target.js'

/** `node tools/bench/profile.js` profiles the main thread of a service under each workload. */
const { only, seconds, customers, targets: names, to } = readFlags({
  only: ['authorize', 'consent', 'sign-in', 'get', 'post', 'put', 'delete'],
  seconds: 4,
  customers: 100_000,
  targets: ['auth-server-sqlite', 'customer-service-sqlite'],
  to: new URL('results/profiles', import.meta.url).pathname
})

/** Lines of a table. */
const LINES = 15

/** Starts with V8's profiler, which writes a file at exit. Without the bundle, in which packages cannot be distinguished. */
const profiled = ({ args, ...start }) => ({
  ...start,
  args: ['--cpu-prof', `--cpu-prof-dir=${to}`, ...args.map(it => it.replace('/dist/bundle/', '/dist/src/'))]
})

await run(
  async () => ({ targets: startedAs(await loadTargets({ names, folders: ['frontdesk'] }), profiled), customers }),
  async subjects => {
    for (const name of names) {
      const { target } = await subjects.prepare(name)
      for (const workload of only.filter(it => target.workloads[it] !== undefined)) {
        await profile(subjects, name, workload)
      }
    }
    return true
  }
)

async function profile (subjects, name, workload) {
  const subject = await subjects.start(name)
  const [{ pid }] = subject.servers
  const { rate, failure } = await measure(subject, workload, { seconds, warmUp: 2, connections: 32 })
  const end = Number(process.hrtime.bigint() / 1_000n)
  await subjects.stop([name])
  if (failure !== undefined) throw new Error(failure)
  const { file, busy, parts } = selfTimes(to, pid, { from: end - seconds * 1e6, to: end })
  console.log(
    table(
      `${name}, ${workload}: ${Math.round(rate)}/s, main thread busy for ${percent(busy)}; ${file}`,
      ['what', '% of it'],
      parts.slice(0, LINES).map(([what, part]) => [what, percent(part)])
    )
  )
}

function percent (part) {
  return (100 * part).toFixed(1)
}
