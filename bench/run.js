import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIssuer } from './issuer.js'
import { cores, pin } from './machine/cores.js'
import { Subjects } from './subjects.js'

/**
 * Does a command of the benchmark: this process goes to the core of the load, and whatever was started and written is
 * gone afterwards. A sentence instead of a stack trace says what went wrong.
 * @param {() => Promise<{ targets: Map<string, import('./target.js').Target>, customers: number, reserved?: number }>} prepare
 * @param {(subjects: Subjects, issuer: import('./issuer.js').Issuer) => Promise<boolean>} work tells whether all was well
 */
export async function run (prepare, work) {
  // Each server that runs is killed at the exit of this process, whatever its cause.
  process.setMaxListeners(0)
  try {
    const { targets, ...options } = await prepare()
    pin(process.pid, cores?.load)
    process.exitCode = await inScratch(targets, options, work) ? 0 : 1
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}

async function inScratch (targets, options, work) {
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const issuer = await startIssuer(dir)
  const subjects = new Subjects(targets, { ...options, dir, issuer })
  const close = async () => {
    await subjects.close()
    issuer.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => { close().finally(() => process.exit(130)) })
  try {
    return await work(subjects, issuer)
  } finally {
    await close()
  }
}
