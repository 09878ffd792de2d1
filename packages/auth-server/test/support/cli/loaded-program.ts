import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { type MessagePort, workerData } from 'node:worker_threads'

/** What a thread of the program is given: where commands come from, and what wakes the one who waits. */
export interface Ends { port: MessagePort, answered: Int32Array }

/** A command, for the thread to run. */
export interface Command { args: readonly string[], env: Record<string, string>, input: string | Uint8Array }

// as: this is how loaded.ts starts it.
const { port, answered } = workerData as Ends
const main = new URL('../../../src/cli/main.js', import.meta.url)
let count = 0
process.cwd = tmpdir

port.on('message', async ({ args, env, input }: Command) => {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].removeAllListeners('error')
    process[name].write = (chunk: string | Uint8Array) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }
  }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input.length === 0 ? [] : [Buffer.from(input)], { objectMode: false }),
    configurable: true
  })
  process.argv = [process.argv[0]!, 'frontdesk-auth', ...args]
  process.exitCode = undefined
  let code: number | null = null
  try {
    // What it imports is loaded already; it itself runs again.
    await import(`${main.href}?${++count}`)
    code = Number(process.exitCode ?? 0)
  } catch (error) {
    written.stderr += String(error)
  }
  process.exitCode = undefined
  port.postMessage({ code, ...written })
  Atomics.store(answered, 0, 1)
  Atomics.notify(answered, 0)
})
