import { statSync } from 'node:fs'

/**
 * Watches the path of an open file. The result is the reason that writes to the file are lost: it was removed, moved or replaced;
 * `undefined` while it is still at its path.
 */
export function watchFile (path: string): () => string | undefined {
  const opened = idOf(path)
  return () => {
    const now = idOf(path)
    if (now === undefined) return 'the file was removed or moved while it was open'
    return now === opened ? undefined : 'the file was replaced while it was open'
  }
}

/** Identifies a file on this machine by device and inode. */
function idOf (path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
