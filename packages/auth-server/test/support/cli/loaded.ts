import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Given, Run } from './frontdesk-auth.js'
import type { Command, Ends } from './loaded-program.js'

/** Longest time of a command, in milliseconds. */
const TIMEOUT = 60_000

let call: ((command: Command) => Run) | undefined

/**
 * Runs the program to its end as `run` does, with the same arguments, environment, input and output, but in a thread of this
 * process that loads it once for all tests of a file: loading takes most of the time of a command. Files are read
 * by their whole path; `-` for standard input needs a process.
 */
export function runLoaded (args: readonly string[], { input = '', env = {} }: Omit<Given, 'cwd'> = {}): Run {
  call ??= start()
  return call({ args, env: { PATH: process.env.PATH ?? '', ...env }, input })
}

function start (): (command: Command) => Run {
  const { port1, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const workerData: Ends = { port: port2, answered }
  const program = new Worker(new URL('./loaded-program.js', import.meta.url), { workerData, transferList: [port2], env: {}, stdin: true })
  program.unref()
  port1.unref()
  return command => {
    Atomics.store(answered, 0, 0)
    port1.postMessage(command)
    Atomics.wait(answered, 0, 0, TIMEOUT)
    const answer = receiveMessageOnPort(port1)
    if (answer === undefined) {
      // A late answer is not taken for the next command's.
      program.terminate().catch(() => {})
      call = undefined
      throw new Error(`frontdesk-auth ${command.args.join(' ')} does not end.`)
    }
    // as: the thread is ours.
    return answer.message as Run
  }
}
