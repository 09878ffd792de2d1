import { statSync } from 'node:fs'

/**
 * Remembers which file is at a path, that is open now. Answers why what is written to it is lost: the file was removed or
 * moved, or another is in its place. `undefined` while it is still there.
 */
export function watchFile (path: string): () => string | undefined {
  const opened = idOf(path)
  return () => {
    const now = idOf(path)
    if (now === undefined) return 'the file was removed or moved while it was open'
    return now === opened ? undefined : 'the file was replaced while it was open'
  }
}

/** Names a file on this machine, whatever its path. */
function idOf (path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
