import { readFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'
import { nearest } from './nearest.js'

/** A variable that is not a setting but resembles one. */
export interface Misspelled {
  readonly name: string
  readonly setting: string
  /** The file that sets the variable, if Node.js read it from one (`--env-file`). */
  readonly file: string | undefined
}

/**
 * Finds variables that are not empty and whose names resemble settings.
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

/** Describes the mistake for the operator. */
export function describeMisspelled ({ name, setting, file }: Misspelled): string {
  return `${name}${file === undefined ? '' : ` in ${file}`} is not a setting. Did you mean ${setting}?`
}

/** The variables that Node.js read from files (`--env-file`), each with its file. Others may come from the platform. */
export function readEnvFiles (args: readonly string[] = process.execArgv): Map<string, string> {
  const option = { type: 'string', multiple: true } as const
  const { values } = parseArgs({ args: [...args], strict: false, options: { 'env-file': option, 'env-file-if-exists': option } })
  const files = Object.values(values).flat().filter(file => typeof file === 'string')
  return new Map(files.flatMap(file => readNames(file).map(name => [name, file] as const)))
}

/** Node.js ignores a file that it cannot read. */
function readNames (file: string): string[] {
  try {
    return Object.keys(parseEnv(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
