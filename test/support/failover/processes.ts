import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sends a signal to PostgreSQL and all of its processes, if it runs. @param folder of its data */
export function signalPostgres (folder: string, signal: NodeJS.Signals): void {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const postmaster = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
  // The file survives a kill, and its number may be another process by now.
  if (!isPostgres(postmaster)) return
  for (const pid of [postmaster, ...childrenOf(postmaster)]) send(pid, signal)
}

function isPostgres (pid: number): boolean {
  const file = `/proc/${pid}/comm`
  return existsSync(file) && readFileSync(file, 'utf8').trim() === 'postgres'
}

function childrenOf (pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function send (pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // as: kill throws errors with a code. It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
