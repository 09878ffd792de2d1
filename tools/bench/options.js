import { parseArgs } from 'node:util'
import { LEAST_PAIRS } from './compare/interval.js'
import { toNumber } from './flags.js'
import { groups, specials, workloads } from './workloads.js'

const HELP = `npm run bench -- [--only <workload,…>] [--targets <name,…>] [--connections <N,…>] [--rounds N] [--seconds S]
  [--customers N] [--json <file>] [--smoke | --compare <commit> [--margin <percent>]]`

/** The short form skips targets with the same requests as another. */
const SMOKE = [
  'authorize', 'account', 'flow', 'sign-in', 'client-credentials', 'introspect', 'revoke', 'code-exchange-openid', 'par', 'refresh',
  'device', 'get', 'list', 'search', 'post', 'put', 'patch', 'delete', 'bearer'
]

/** Parses the command's arguments. @throws with a sentence for the user */
export function readOptions (args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      targets: { type: 'string' },
      connections: { type: 'string', default: '32' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      customers: { type: 'string' },
      json: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      compare: { type: 'string' },
      margin: { type: 'string' },
      help: { type: 'boolean', default: false }
    }
  })
  const { smoke, compare } = values
  const compares = compare !== undefined
  const known = [...Object.keys(workloads), ...compares ? [] : specials]
  if (values.help) {
    console.log(`${HELP}\nWorkloads: ${known.join(', ')}; ${Object.keys(groups).join(', ')} for several.`)
    process.exit()
  }
  const [rounds, seconds, customers, margin] = [
    number('rounds', values.rounds, smoke ? 1 : compares ? 10 : 5),
    number('seconds', values.seconds, smoke ? 0.2 : compares ? 1 : 3),
    number('customers', values.customers, smoke ? 2_000 : 100_000),
    number('margin', values.margin, 5)
  ]
  if (compares && rounds < LEAST_PAIRS) throw new Error(`--compare needs --rounds of ${LEAST_PAIRS} or more, without --smoke.`)
  const only = values.only?.split(',').flatMap(it => groups[it] ?? it) ?? (values.smoke ? SMOKE : known)
  const unknown = only.filter(it => !known.includes(it))
  if (unknown.length > 0) {
    const where = compares ? ' that --compare knows' : ''
    throw new Error(`There is no workload ${unknown.join(', ')}${where}. Choose from ${known.join(', ')}.`)
  }
  return {
    only,
    connections: values.connections.split(',').map(it => toNumber('connections', it)),
    targets: values.targets?.split(','),
    folders: smoke ? ['frontdesk'] : undefined,
    rounds,
    seconds,
    // A server that has just started takes seconds to compile what is run often.
    warmUp: smoke ? 0.05 : compares ? 3 : Math.min(2, Math.max(1, seconds)),
    customers,
    json: values.json ?? new URL('results/latest.json', import.meta.url).pathname,
    smoke,
    compare,
    margin
  }
}

function number (name, text, otherwise) {
  return text === undefined ? otherwise : toNumber(name, text)
}
