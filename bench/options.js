import { parseArgs } from 'node:util'
import { groups, specials, workloads } from './workloads.js'

const HELP =
  'npm run bench -- [--only <workload,…>] [--targets <name,…>] [--rounds N] [--seconds S] [--customers N] [--json <file>] [--smoke]'

/** The short form leaves out what sends the same as another. */
const SMOKE = [
  'authorize', 'consent', 'flow', 'sign-in', 'client-credentials', 'introspect', 'revoke', 'code-exchange', 'refresh',
  'get', 'post', 'put', 'delete', 'bearer'
]

/** What is measured, from the arguments of the command. @throws with a sentence that says what to write instead */
export function readOptions (args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      targets: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      customers: { type: 'string' },
      json: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false }
    }
  })
  const known = [...Object.keys(workloads), ...specials]
  if (values.help) {
    console.log(`${HELP}\nWorkloads: ${known.join(', ')}; ${Object.keys(groups).join(', ')} for several.`)
    process.exit()
  }
  const only = values.only?.split(',').flatMap(it => groups[it] ?? it) ?? (values.smoke ? SMOKE : known)
  const unknown = only.filter(it => !known.includes(it))
  if (unknown.length > 0) throw new Error(`There is no workload ${unknown.join(', ')}. Choose from ${known.join(', ')}.`)
  const { smoke } = values
  const [rounds, seconds, customers] = [
    number('rounds', values.rounds, smoke ? 1 : 5),
    number('seconds', values.seconds, smoke ? 0.2 : 3),
    number('customers', values.customers, smoke ? 2_000 : 100_000)
  ]
  return {
    only,
    targets: values.targets?.split(','),
    folders: smoke ? ['frontdesk'] : undefined,
    rounds,
    seconds,
    warmUp: smoke ? 0.05 : Math.min(2, Math.max(1, seconds)),
    customers,
    json: values.json ?? new URL('results/latest.json', import.meta.url).pathname,
    smoke
  }
}

function number (name, text, otherwise) {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0.`)
  return value
}
