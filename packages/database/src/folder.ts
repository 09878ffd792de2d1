import { nearest } from '@frontdesk/service-kit/nearest'
import { ConfigError } from '@frontdesk/service-kit/settings'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, parse, sep } from 'node:path'

/**
 * Requires the folder of a database file, or creates it.
 * @throws ConfigError if it is missing and `creates` is false, or is not a folder
 */
export function ensureFolder (file: string, creates: boolean): void {
  const reason = whyNoFolder(file, creates)
  if (reason !== undefined) throw new ConfigError([reason.join(' ')])
  mkdirSync(dirname(file), { recursive: true })
}

/** Explains why a database file has no folder; `undefined` if it has one, or it can be created. */
export function whyNoFolder (file: string, creates: boolean): [sentence: string, remedy: string] | undefined {
  const folder = dirname(file)
  let obstacle = folder
  while (findKind(obstacle) === 'none') obstacle = dirname(obstacle)
  if (findKind(obstacle) === 'other') return [`${obstacle} is not a folder: the database cannot be in it.`, 'Correct DATABASE_URL or DATA_DIR.']
  if (creates || obstacle === folder) return undefined
  return [
    `There is no folder ${folder} for the database, and in production none is created. The nearest that exists is ${nearestFolder(folder)}.`,
    'Correct DATABASE_URL or DATA_DIR, or create the folder.'
  ]
}

/** Finds the existing folder that a path probably means, with similar names instead of missing ones. */
export function nearestFolder (path: string): string {
  const { root } = parse(path)
  let found = root
  for (const name of path.slice(root.length).split(sep)) {
    const next = findKind(join(found, name)) === 'folder' ? name : nearest(name, foldersIn(found))
    if (next === undefined) return found
    found = join(found, next)
  }
  return found
}

function foldersIn (folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(it => it.isDirectory()).map(({ name }) => name)
  } catch {
    // The user can enter the folder, but not read it.
    return []
  }
}

function findKind (path: string): 'folder' | 'other' | 'none' | 'unknown' {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? 'none' : found.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    // ENOTDIR: a parent is a file. Otherwise, opening the file will explain the error.
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? 'none' : 'unknown'
  }
}
