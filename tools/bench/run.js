import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIssuer } from './issuer.js'
import { cores, pin } from './machine/cores.js'
import { Subjects } from './subjects.js'

/**
 * Does a command of the benchmark: this process goes to the core of the load, and whatever was started and written is
 * gone afterwards. A sentence instead of a stack trace says what went wrong.
 * @param {(dir: string) => Promise<{ targets: Map<string, import('./target.js').Target>, customers: number, reserved?: number }>} prepare
 *   gets the folder of what is written
 * @param {(subjects: Subjects, issuer: import('./issuer.js').Issuer) => Promise<boolean>} work tells whether all was well
 */
export async function run (prepare, work) {
  // Each server that runs is killed at the exit of this process, whatever its cause.
  process.setMaxListeners(0)
  try {
    process.exitCode = await inScratch(prepare, work) ? 0 : 1
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}

async function inScratch (prepare, work) {
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  let issuer
  let subjects
  const close = async () => {
    await subjects?.close()
    issuer?.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => { close().finally(() => process.exit(130)) })
  try {
    const { targets, ...options } = await prepare(dir)
    pin(process.pid, cores?.load)
    issuer = await startIssuer(dir)
    subjects = new Subjects(targets, { ...options, dir, issuer })
    return await work(subjects, issuer)
  } finally {
    await close()
  }
}
