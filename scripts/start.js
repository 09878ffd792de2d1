// `npm start`: both services and the example app, from a fresh clone, until Ctrl-C.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { prepare, root, Stop } from './prepare.js'
import { programs } from './programs.js'
import { readSettings } from './settings.js'

/** How long the programs may take to answer, and to end, in milliseconds. */
const PATIENCE = { start: 60_000, stop: 15_000 }

/** npm passes Ctrl-C on to us, who had it from the terminal already: within this time, in milliseconds, it is one. */
const ONE_PRESS = 1_000

const children = new Map()
const ending = new AbortController()

async function start () {
  prepare()
  const settings = await readSettings()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  const list = programs(settings)
  for (const program of list) run(program)
  await Promise.all(list.map(untilReady))
  if (!ending.signal.aborted) console.log(welcome(list, settings))
}

function run ({ name, file, env }) {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { LOG_LEVEL: 'warn', ...process.env, ...env },
    // What the app prints is in our own words below.
    stdio: ['ignore', name === 'browser-app' ? 'ignore' : 'inherit', 'inherit'],
    // Out of reach of the terminal's Ctrl-C, so that it hears of the end once, from us.
    detached: process.platform !== 'win32'
  })
  children.set(name, child)
  child.on('error', error => console.error(`${name} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    children.delete(name)
    if (ending.signal.aborted) return
    console.error(`${name} ended ${signal ? `by ${signal}` : `with exit code ${code}`}; what it said is above. Ending the others.`)
    stop(1)
  })
}

async function untilReady ({ name, ready }) {
  const deadline = Date.now() + PATIENCE.start
  while (!ending.signal.aborted) {
    const answer = await fetch(ready, { signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok, () => false)
    if (answer) return
    if (Date.now() > deadline) throw new Stop(`${name} does not answer at ${ready}. Start again with LOG_LEVEL=info to see why.`)
    await setTimeout(100)
  }
}

/** When the first signal came. */
let signalled

function onSignal () {
  signalled ??= Date.now()
  if (Date.now() - signalled > ONE_PRESS) kill('SIGKILL')
  else stop(0)
}

/** Ends every program and then this one. */
async function stop (exitCode) {
  if (ending.signal.aborted) return
  ending.abort()
  const ends = [...children.values()].map(child => once(child, 'exit'))
  kill('SIGTERM')
  setTimeout(PATIENCE.stop, undefined, { ref: false }).then(() => kill('SIGKILL'))
  await Promise.all(ends)
  process.exit(exitCode)
}

function kill (signal) {
  for (const child of children.values()) child.kill(signal)
}

function welcome ([auth, customers, app], { DATA_DIR }) {
  return `
Frontdesk is running. Data: ${DATA_DIR}

  auth-server       ${auth.address}
  customer-service  ${customers.address}
  example app       ${app.address}

Sign in as demo with the password demo.
Next: open ${app.address} and press "Sign in". Ctrl-C ends everything.
`
}

start().catch(error => {
  console.error(error instanceof Stop ? error.message : error)
  stop(1)
})
