import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'

/** Starts a server in its own process, which is killed after the test. */
export function launch (t: Test, server: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [server], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe']
  })
  let [log, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => { log += text })
  child.stderr.setEncoding('utf8').on('data', (text: string) => { errors += text })
  // as: the arguments of the event `close`.
  const exit = once(child, 'close') as Promise<[code: number | null, signal: string | null]>
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return {
    child,
    /** Exit code and signal. */
    exit,
    /** Complete lines of the log so far. */
    log: () => log.split('\n').slice(0, -1),
    /** Standard error so far. */
    errors: () => errors,
    /** Resolves to the server's URL when it listens; `undefined` if it exits before. */
    async listening (): Promise<string | undefined> {
      const find = () => /listening at (http:[^"]+)"/.exec(log)?.[1]
      while (find() === undefined && child.exitCode === null &&
        child.signalCode === null) await Promise.race([once(child.stdout, 'data'), exit])
      return find()
    }
  }
}
