import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { read } from './sources.js'
import { freePort, root, type Stack } from './stack.js'

/** How long the app may take to start, in milliseconds. */
const START_TIMEOUT_MS = 60_000

/** Loaded before the app: its clock is as many seconds ahead as the last message says. */
const CLOCK = `data:text/javascript,${encodeURIComponent(`
  const { now } = Date
  let secondsAhead = 0
  Date.now = () => now() + secondsAhead * 1000
  process.on('message', seconds => { secondsAhead = seconds; process.send('set') })`)}`

/** The app of a page of docs/how-to, in a process of its own. */
export interface HowToApp {
  origin: string
  /** What it wrote until now. */
  log: () => string
  setClock: (clock: { secondsAhead: number }) => Promise<void>
}

/**
 * Registers the app of a page with the command there, if there is one, and starts it with the addresses of a stack.
 * @param env is added to its settings
 * @param port default: any free one
 */
export async function startHowToApp (
  t: Test,
  stack: Stack,
  page: string,
  env: Record<string, string> = {},
  port?: number
): Promise<HowToApp> {
  port ??= await freePort()
  const here = (text: string) => text.replaceAll('8080', String(port))
    .replaceAll('http://localhost:3000', stack.issuer).replaceAll('http://localhost:3001', stack.address('customer-service'))
  const [, command] = /^ *npx frontdesk-auth (client add .*)$/m.exec(read(page)) ?? []
  const words = [...here(command ?? '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
  // as: what --json prints.
  const { secret } = command === undefined ? { secret: '' } : JSON.parse(await stack.register([...words, '--json'])) as { secret: string }
  const [, script = ''] = /^ *```js\n(.*?)^ *```$/ms.exec(read(page)) ?? []
  // Below node_modules, where it finds what it imports.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'how-to-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'app.mjs')
  await writeFile(file, here(script))

  // Not by its own name: tap would load itself into it.
  const child = spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, '--import', CLOCK, file], {
    env: { PATH: process.env.PATH, CLIENT_SECRET: secret, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const exited = once(child, 'exit')
  // A test file that breaks off must not leave it behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  t.teardown(async () => {
    kill()
    await exited
    process.off('exit', kill)
  })
  const lines: string[] = []
  for (const stream of [child.stdout!, child.stderr!]) createInterface(stream).on('line', line => { lines.push(line) })
  const log = () => lines.join('\n')
  const origin = `http://localhost:${port}`
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!await fetch(origin).then(({ ok }) => ok, () => false)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The app does not start.\n${log()}`)
    await setTimeout(50)
  }
  return {
    origin,
    log,
    async setClock ({ secondsAhead }) {
      child.send(secondsAhead)
      await once(child, 'message')
    }
  }
}
