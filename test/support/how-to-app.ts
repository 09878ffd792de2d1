import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { blockOf, registerAppOf, startSite, withAddresses } from './how-to-page.js'
import { freePort, root, type Stack } from './stack.js'

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
  const here = withAddresses(stack, [8080, port])
  const secret = await registerAppOf(stack, page, here)
  // Below node_modules, where it finds what it imports.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'how-to-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'app.mjs')
  await writeFile(file, here(blockOf(page, 'js')))

  const origin = `http://localhost:${port}`
  const { child, log } = await startSite(t, origin, [process.execPath, '--import', CLOCK, file], { CLIENT_SECRET: secret, ...env })
  return {
    origin,
    log,
    async setClock ({ secondsAhead }) {
      child.send(secondsAhead)
      await once(child, 'message')
    }
  }
}
