// `npm start` runs both services and the desk, from a fresh clone, until Ctrl-C. `npm run dev` adds `--watch`: after
// an edit it compiles, and restarts the programs concerned.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { run, Stop } from './command.js'
import { compile } from './compile.js'
import { edits } from './edits.js'
import { Group } from './group.js'
import { prepare } from './prepare.js'
import { folderOf, programs } from './programs.js'
import { claimData, exportLine, readSettings } from './settings.js'

/** Time limit for a program to respond after its start, in milliseconds. */
const START_TIMEOUT_MS = 60_000

/** Ctrl-C arrives twice, from the terminal and from npm: signals within this time, in milliseconds, are one. */
const SAME_SIGNAL_MS = 1_000

const watch = process.argv.includes('--watch')

let stoppedAt
const group = new Group(reason => {
  if (watch) return console.error(`${reason}; see its output above. It restarts after the next edit.`)
  console.error(`${reason}; see its output above. Stopping the others.`)
  stop(1)
})

async function start () {
  await prepare()
  const settings = await readSettings()
  await claimData(settings.DATA_DIR)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  endWithNpm()
  const list = programs(settings)
  const [auth, customers, desk] = list
  await addDemoCustomers(customers)
  await Promise.all([auth, desk].map(launch))
  // Last: it fetches the keys of auth-server.
  await launch(customers)
  if (!stoppedAt) console.log(welcome(list, settings))
  if (watch) for await (const paths of edits()) await rebuild(list, paths)
}

/** Compiles, and restarts the programs that use the edited files. */
async function rebuild (list, paths) {
  const shared = { desk: /^(packages\/(customer-client|design|schemas|service-kit)|examples\/browser-app)\// }
  const services = /^packages\/(database|design|schemas|service-kit)\//
  const uses = (program, path) => path.startsWith(folderOf(program)) || (shared[program.name] ?? services).test(path)
  const affected = list.filter(program => paths.some(path => !/(^|\/)test\//.test(path) && uses(program, path)))
  if (affected.length === 0 || stoppedAt) return
  try {
    await compile({ tests: false })
  } catch (error) {
    return console.error(error.message)
  }
  await Promise.all(affected.map(program => group.restart(program)))
  console.log(`Restarted ${affected.map(({ name }) => name).join(' and ')} after an edit of ${paths.join(', ')}.`)
}

/** Adds the demo customers to a new database only: in an existing one, the user may have changed or removed them. */
async function addDemoCustomers ({ env }) {
  if (existsSync(env.DATABASE_URL.slice('file:'.length)) || process.env.ENVIRONMENT === 'production') return
  await run('The demo customers could not be added; the reason is above.', process.execPath, [
    'packages/customer-service/bin/frontdesk-customer.js', 'demo', 'add'
  ], { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function launch (program) {
  group.run(program)
  const { name, ready } = program
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const answer = await fetch(ready, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok, () => false)
    if (answer || stoppedAt) return
    if (Date.now() > deadline) throw new Stop(`${name} does not respond at ${ready}. Start again with LOG_LEVEL=info to see why.`)
    await setTimeout(100)
  }
}

function onSignal () {
  if (!stoppedAt) stop(0)
  else if (Date.now() - stoppedAt > SAME_SIGNAL_MS) group.kill('SIGKILL')
}

/** Stops when npm is gone. Its signals may not reach us: a shell between us does not forward them, and SIGKILL leaves no time. */
function endWithNpm () {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const npm = shellParent(parent) ?? parent
  setInterval(() => { if (process.ppid !== parent || !isAlive(npm)) stop(0) }, 250).unref()
}

/** The parent of a shell; `undefined` if `pid` is not a shell, or `ps` is missing. */
function shellParent (pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', `${pid}`], { encoding: 'utf8' })
  const [, parent] = /^\s*(\d+)\s+\S*\bsh\s*$/.exec(stdout ?? '') ?? []
  return parent && Number(parent)
}

function isAlive (pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function stop (exitCode) {
  if (stoppedAt) return
  stoppedAt = Date.now()
  const clean = await group.stop()
  process.exit(clean ? exitCode : 1)
}

function welcome ([auth, customers, desk], settings) {
  const line = exportLine(settings)
  const mcp = process.env.MCP === 'on' ? `\n  MCP server        ${customers.address}/mcp  (for assistants)` : ''
  return `
Frontdesk is running. Data: ${settings.DATA_DIR}

  auth-server       ${auth.address}
  customer-service  ${customers.address}
  API reference     ${customers.address}/docs${mcp}
  desk              ${desk.address}
  administration    ${auth.address}/admin  (admin, with the password admin)

Sign in as demo with the password demo, unless you have changed it.
${line === undefined ? '' : `In another terminal, before frontdesk-auth, frontdesk-customer and the examples:\n\n  ${line}\n\n`}Next: open ${desk.address} and press "Sign in". Ctrl-C stops everything.
`
}

start().catch(error => {
  console.error(error instanceof Stop ? error.message : error)
  stop(1)
})
