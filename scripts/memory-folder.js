// Keeps the temporary files of tests in memory on Linux: databases take a third of the CPU time there.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'

/** A file system in memory, by default of half its size. */
const FOLDER = '/dev/shm'
/** Free space to require, in bytes: more than the tests use. */
const MIN_FREE_BYTES = 4 * 1024 ** 3

/**
 * Creates a folder in memory for temporary files and programs. It is removed when this process ends.
 * @returns {string | undefined} its path; `undefined` where the system has no such folder with enough space
 */
export function memoryFolder () {
  if (!existsSync('/proc/mounts')) return undefined
  const options = new RegExp(`^\\S+ ${FOLDER} tmpfs (\\S+)`, 'm').exec(readFileSync('/proc/mounts', 'utf8'))?.[1]
  if (options === undefined || options.split(',').some(option => ['ro', 'noexec'].includes(option))) return undefined
  const { bavail, bsize } = statfsSync(FOLDER)
  if (bavail * bsize < MIN_FREE_BYTES) return undefined
  const folder = mkdtempSync(`${FOLDER}/frontdesk-`)
  // For PostgreSQL, which runs as another user.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
