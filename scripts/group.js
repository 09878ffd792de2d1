import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from './command.js'

/** How long a program may take to end, in milliseconds. */
const SHUTDOWN_GRACE_MS = 15_000

const END_WITH_PARENT = new URL('./end-with-parent.js', import.meta.url).href

/** Programs that run together: when one ends by itself, `onDeath` hears the reason, once. */
export class Group {
  #children = new Map()
  #ending = false
  #onDeath

  /** @param {(reason: string) => void} onDeath */
  constructor (onDeath) {
    this.#onDeath = onDeath
    process.on('exit', () => this.kill('SIGTERM'))
  }

  /** Starts a Node.js program in the root folder. Its log is printed as it is if LOG_LEVEL is set, else plainly. */
  run ({ name, file, env }) {
    if (this.#ending) return
    const child = spawn(process.execPath, ['--import', END_WITH_PARENT, file], {
      cwd: root,
      env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn', ...env },
      // The channel closes with us, also when we are killed.
      stdio: ['ignore', process.env.LOG_LEVEL ? 'inherit' : 'pipe', 'inherit', 'ipc'],
      // Out of reach of the terminal's Ctrl-C: we stop it, once.
      detached: process.platform !== 'win32'
    })
    this.#children.set(name, child)
    if (child.stdout) createInterface(child.stdout).on('line', line => printPlainly(name, line))
    child.on('error', error => console.error(`${name} could not be started: ${error.message}`))
    child.on('close', (code, signal) => {
      if (this.#children.get(name) === child) this.#children.delete(name)
      if (child.isReplaced) return
      const reason = `${name} ended ${signal ? `by ${signal}` : `with exit code ${code}`}`
      if (!this.#ending) this.#onDeath(reason)
      else if (code !== 0) console.error(`${reason}.`)
    })
  }

  /** Ends a program, if it runs, and starts it again. */
  async restart (program) {
    const child = this.#children.get(program.name)
    if (child !== undefined) {
      child.isReplaced = true
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
    }
    this.run(program)
  }

  /** Ends every program, in the end by force. @returns whether all of them ended well */
  async stop () {
    this.#ending = true
    const ends = [...this.#children.values()].map(child => once(child, 'close'))
    this.kill('SIGTERM')
    setTimeout(() => this.kill('SIGKILL'), SHUTDOWN_GRACE_MS).unref()
    return (await Promise.all(ends)).every(([code]) => code === 0)
  }

  /** @param {NodeJS.Signals} signal */
  kill (signal) {
    for (const child of this.#children.values()) child.kill(signal)
  }
}

/** A log line for readers who have not set LOG_LEVEL. */
function printPlainly (name, line) {
  try {
    const { msg, err, reason = err?.message } = JSON.parse(line)
    console.log(`${name}: ${msg}${reason ? ` (${reason})` : ''}`)
  } catch {
    // No log line: the example app tells its address. So do we.
  }
}
