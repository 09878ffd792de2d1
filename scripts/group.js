// Runs the programs of `npm start`: one can restart after an edit, and all of them stop with this process, even if it is killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from './command.js'

/** How long a program has to end after SIGTERM, in milliseconds. */
const SHUTDOWN_GRACE_MS = 15_000

const END_WITH_PARENT = new URL('./end-with-parent.js', import.meta.url).href

/** Programs that run together. */
export class Group {
  #children = new Map()
  #isStopping = false
  #onExit

  /** @param {(reason: string) => void} onExit called when a program ends by itself */
  constructor (onExit) {
    this.#onExit = onExit
    process.on('exit', () => this.kill('SIGTERM'))
  }

  /** Starts a Node.js program in the root folder. Prints its log unchanged if LOG_LEVEL is set, else in plain text. */
  run ({ name, file, env }) {
    if (this.#isStopping) return
    const child = spawn(process.execPath, ['--import', END_WITH_PARENT, file], {
      cwd: root,
      env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn', ...env },
      // The channel closes when we end, even when we are killed.
      stdio: ['ignore', process.env.LOG_LEVEL ? 'inherit' : 'pipe', 'inherit', 'ipc'],
      // In its own process group, so that the terminal's Ctrl-C does not reach it: we stop it.
      detached: process.platform !== 'win32'
    })
    this.#children.set(name, child)
    if (child.stdout) createInterface(child.stdout).on('line', line => printPlainly(name, line))
    child.on('error', error => console.error(`${name} could not be started: ${error.message}`))
    child.on('close', (code, signal) => {
      if (this.#children.get(name) === child) this.#children.delete(name)
      if (child.isReplaced) return
      const reason = `${name} ended ${signal ? `by ${signal}` : `with exit code ${code}`}`
      if (!this.#isStopping) this.#onExit(reason)
      else if (code !== 0) console.error(`${reason}.`)
    })
  }

  /** Stops a program, if it is running, and starts it again. */
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

  /** Stops every program, with SIGKILL if needed. @returns whether all of them exited with 0 */
  async stop () {
    this.#isStopping = true
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

/** Prints the message of a JSON log line. */
function printPlainly (name, line) {
  try {
    const { msg, err, reason = err?.message } = JSON.parse(line)
    console.log(`${name}: ${msg}${reason ? ` (${reason})` : ''}`)
  } catch {
    // Not a log line.
  }
}
