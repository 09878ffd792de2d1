import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'

/** Linux keeps the files of this folder in memory, half of it unless set otherwise. */
const FOLDER = '/dev/shm'
/** More than the tests have there at once, in bytes: it would be missing elsewhere. */
const ENOUGH = 4 * 1024 ** 3

/**
 * Makes a folder for temporary files that never go to a disk, where the system has one with enough space in which programs
 * may run: databases take a third of the CPU there. It is gone with this process.
 * @returns {string | undefined} its path
 */
export function memoryFolder () {
  if (!existsSync('/proc/mounts')) return undefined
  const options = new RegExp(`^\\S+ ${FOLDER} tmpfs (\\S+)`, 'm').exec(readFileSync('/proc/mounts', 'utf8'))?.[1]
  if (options === undefined || options.split(',').some(option => ['ro', 'noexec'].includes(option))) return undefined
  const { bavail, bsize } = statfsSync(FOLDER)
  if (bavail * bsize < ENOUGH) return undefined
  const folder = mkdtempSync(`${FOLDER}/frontdesk-`)
  // PostgreSQL runs as another user there.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
