import { readFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'
import { nearest } from './nearest.js'

/** A variable that is not a setting but resembles one. */
export interface Misspelled {
  readonly name: string
  /** The setting that was probably meant. */
  readonly setting: string
  /** The file that sets it, if Node.js read it from one (`--env-file`). */
  readonly file: string | undefined
}

/**
 * Finds variables whose names resemble settings. Empty ones count as not set.
 * @param settings names of all settings
 * @param files see {@link readEnvFiles}
 */
export function findMisspelled (
  settings: readonly string[],
  env: NodeJS.ProcessEnv,
  files: ReadonlyMap<string, string> = new Map()
): Misspelled[] {
  const known = new Set(settings)
  return Object.entries(env).flatMap(([name, value]) => {
    const setting = value === '' || known.has(name) ? undefined : nearest(name, settings)
    return setting === undefined ? [] : [{ name, setting, file: files.get(name) }]
  })
}

/** What is wrong, and what to do, for the operator. */
export function describeMisspelled ({ name, setting, file }: Misspelled): string {
  return `${name}${file === undefined ? '' : ` in ${file}`} is not a setting. Did you mean ${setting}?`
}

/**
 * The variables that Node.js read from files (`--env-file`), each with its file: settings of the service's own, apart from
 * what a platform injects.
 */
export function readEnvFiles (args: readonly string[] = process.execArgv): Map<string, string> {
  const option = { type: 'string', multiple: true } as const
  const { values } = parseArgs({ args: [...args], strict: false, options: { 'env-file': option, 'env-file-if-exists': option } })
  const files = Object.values(values).flat().filter(file => typeof file === 'string')
  return new Map(files.flatMap(file => namesIn(file).map(name => [name, file] as const)))
}

/** Of a file that it cannot read, Node.js took nothing. */
function namesIn (file: string): string[] {
  try {
    return Object.keys(parseEnv(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
