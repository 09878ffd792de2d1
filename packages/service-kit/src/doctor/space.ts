import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** What SQLite needs at least to open a file, in bytes: its -shm file. */
const MIN_FREE_BYTES = 32_768

/** A disk without space, and what to do. */
export const FULL = [
  'its disk is full', 'Free space on the volume of the file (df -h shows it), but never delete its -wal and -shm files.'
] as const

/**
 * Why no more can be written next to a file: SQLite reports a full disk as other errors, too, when it opens a database.
 * `undefined` if there is space.
 */
export function whyNoSpace (path: string): readonly [sentence: string, remedy: string] | undefined {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  if (bavail * bsize < MIN_FREE_BYTES) return FULL
  // Some file systems have no such limit.
  return files > 0 && ffree === 0
    ? ['its disk has no room for more files', 'Remove files from its volume (df -i shows their number), but never its -wal and -shm files.']
    : undefined
}
