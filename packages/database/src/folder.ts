import { nearest } from '@frontdesk/service-kit/nearest'
import { ConfigError } from '@frontdesk/service-kit/settings'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, parse, sep } from 'node:path'

/**
 * Makes sure that the folder of a database file exists.
 * @param creates whether it is created
 * @throws ConfigError if it is missing and must not be created, or is not a folder
 */
export function ensureFolder (file: string, creates: boolean): void {
  const reason = whyNoFolder(file, creates)
  if (reason !== undefined) throw new ConfigError([reason.join(' ')])
  mkdirSync(dirname(file), { recursive: true })
}

/** Why there is no folder for a database file, and what to do; `undefined` if there is one, or it may be created. */
export function whyNoFolder (file: string, creates: boolean): [sentence: string, remedy: string] | undefined {
  const folder = dirname(file)
  let obstacle = folder
  // The root is a folder.
  while (kindOf(obstacle) === 'none') obstacle = dirname(obstacle)
  if (kindOf(obstacle) === 'other') return [`${obstacle} is no folder: the database cannot be in it.`, 'Correct DATABASE_URL or DATA_DIR.']
  if (creates || obstacle === folder) return undefined
  return [
    `There is no folder ${folder} for the database, and in production none is created. The nearest that exists is ${nearestFolder(folder)}.`,
    'Correct DATABASE_URL or DATA_DIR, or create the folder.'
  ]
}

/** The existing folder that a path probably means: where a name is missing, one like it may be there. */
export function nearestFolder (path: string): string {
  const { root } = parse(path)
  let found = root
  for (const name of path.slice(root.length).split(sep)) {
    const next = kindOf(join(found, name)) === 'folder' ? name : nearest(name, foldersIn(found))
    if (next === undefined) return found
    found = join(found, next)
  }
  return found
}

function foldersIn (folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(it => it.isDirectory()).map(({ name }) => name)
  } catch {
    // This user may enter it, but not read it.
    return []
  }
}

function kindOf (path: string): 'folder' | 'other' | 'none' | 'unknown' {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? 'none' : found.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    // ENOTDIR: above it is a file. Else this user may not look, which opening the file explains.
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? 'none' : 'unknown'
  }
}
