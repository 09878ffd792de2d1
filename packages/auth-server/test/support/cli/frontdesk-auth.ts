import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { Stores } from '../../../src/stores/stores.js'
import { runLoaded } from './loaded.js'

/** The real program. */
export const bin = fileURLToPath(new URL('../../../../bin/frontdesk-auth.js', import.meta.url))

/** Starts Node.js for a program that ends at once: optimized code costs a sixth of its time and is never run. */
export const [node, ...plain] = [process.execPath, '--no-opt'] as const

/** How a run ended. */
export interface Run { code: number | null, stdout: string, stderr: string }

/** Input and environment of a run. */
export interface Given { input?: string | Buffer, env?: Record<string, string>, cwd?: string }

/** Runs the program to its end, with nothing of our own environment but PATH. */
export function run (args: readonly string[], { input = '', env = {}, cwd = tmpdir() }: Given = {}): Run {
  const { status, stdout, stderr, error } = spawnSync(node, [...plain, bin, ...args], {
    input,
    cwd,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    timeout: 20_000
  })
  if (error !== undefined && !('code' in error && error.code === 'EPIPE')) throw error
  return { code: status, stdout, stderr }
}

/** As {@link run}, for a test that serves meanwhile: a server that stands still for a second refuses what comes then. */
export async function runBeside (
  args: readonly string[], env: Record<string, string>, onOutput: (text: string) => void = () => {}
): Promise<Run> {
  const child = spawn(node, [...plain, bin, ...args], { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env }, timeout: 20_000 })
  child.stdin.end()
  child.stdout.on('data', part => onOutput(String(part)))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

/** A folder of its own, removed with the test. */
export function folder (t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-cli-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A migrated database that is open here, as it is in a running server, and the program that works on it. */
export async function onDatabase (
  t: Test
): Promise<{ cli: (args: readonly string[], input?: string | Buffer) => Run, stores: Stores, env: { DATABASE_URL: string } }> {
  const { openStores } = await import('../../../src/stores/stores.js')
  const env = { DATABASE_URL: `file:${join(folder(t), 'auth.db')}` }
  const stores = await openStores(env.DATABASE_URL)
  t.teardown(() => stores.close())
  return { env, stores, cli: (args, input = '') => (args.includes('-') ? run : runLoaded)(args, { env, input }) }
}

/** What to type, or to do, when the terminal shows a text. */
export type Answer = readonly [shown: string, typed: string | ((screen: string) => unknown)]

/** Whether `script` of util-linux is here, which gives a program a terminal. */
export const hasTerminal = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')

/** Runs the program at a terminal of its own. Standard output goes into the file `out`, so that the screen shows the rest. */
export async function atTerminal (
  args: string,
  env: Record<string, string>,
  answers: readonly Answer[],
  out = '/dev/null',
  columns = 80
): Promise<{ code: number | null, screen: string }> {
  const child = spawn('script', ['-qefc', `stty cols ${columns}; exec ${node} ${plain.join(' ')} '${bin}' ${args} > '${out}'`, '/dev/null'], {
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', ...env },
    timeout: 30_000
  })
  let screen = ''
  let seen = 0
  const left = [...answers]
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk
    const at = left[0] === undefined ? -1 : screen.indexOf(left[0][0], seen)
    if (at === -1) return
    seen = screen.length
    // A prompt throws away what was typed before it was drawn.
    setTimeout(typed => typeof typed === 'string' ? child.stdin.write(typed) : typed(screen), 100, left.shift()![1])
  })
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  return { code, screen }
}
