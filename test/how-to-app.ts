import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { read } from './sources.js'
import { freePort, root, type Stack } from './stack.js'

/** How long the app may take to start, in milliseconds. */
const START_TIMEOUT_MS = 60_000

/** The app of a page of docs/how-to, with the addresses of a stack. */
export class HowToApp {
  readonly origin: string
  readonly #lines: string[] = []
  readonly #file: string
  readonly #env: Record<string, string>
  #end = async () => {}

  private constructor (origin: string, file: string, env: Record<string, string>) {
    this.origin = origin
    this.#file = file
    this.#env = env
  }

  /** Registers the app with the command of the page, and starts it; `env` is added to its settings. */
  static async start (t: Test, stack: Stack, page: string, env: Record<string, string>): Promise<HowToApp> {
    const port = await freePort()
    const here = (text: string) => text.replaceAll('8080', String(port))
      .replaceAll('http://localhost:3000', stack.issuer).replaceAll('http://localhost:3001', stack.address('customer-service'))
    const [, command = ''] = /^ *npx frontdesk-auth (client add .*)$/m.exec(read(page)) ?? []
    const words = [...here(command).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
    // as: what --json prints.
    const { secret } = JSON.parse(await stack.register([...words, '--json'])) as { secret: string }
    const [, script = ''] = /^ *```js\n(.*?)^ *```$/ms.exec(read(page)) ?? []
    // Below node_modules, where it finds what it imports.
    const cache = join(root, 'node_modules/.cache')
    await mkdir(cache, { recursive: true })
    const folder = await mkdtemp(join(cache, 'how-to-'))
    await writeFile(join(folder, 'app.mjs'), here(script))
    const app = new HowToApp(`http://localhost:${port}`, join(folder, 'app.mjs'), { CLIENT_SECRET: secret, ...env })
    t.teardown(async () => {
      await app.#end()
      await rm(folder, { recursive: true })
    })
    await app.restart()
    return app
  }

  /** Starts the app, after ending it if it runs, with a clock that is ahead. */
  async restart ({ secondsAhead = 0 } = {}): Promise<void> {
    await this.#end()
    const clock = `data:text/javascript,const { now } = Date; Date.now = () => now() + ${secondsAhead * 1000}`
    // Not by its own name: tap would load itself into it.
    const child = spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, '--import', clock, this.#file], {
      env: { PATH: process.env.PATH, ...this.#env }, stdio: ['ignore', 'pipe', 'pipe']
    })
    // A test file that breaks off must not leave it behind.
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    const exited = new Promise<void>(resolve => child.once('exit', () => { process.off('exit', kill); resolve() }))
    this.#end = async () => {
      child.kill()
      await exited
    }
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', line => { this.#lines.push(line) })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!await fetch(this.origin).then(({ ok }) => ok, () => false)) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The app does not start.\n${this.#lines.join('\n')}`)
      await setTimeout(50)
    }
  }
}
