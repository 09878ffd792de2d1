import { oneOf, parseQuery } from '../query.js'
import type { ImportOptions } from './run.js'

const parameters = { mode: oneOf(['best-effort', 'all-or-nothing']), dry_run: oneOf(['true', 'false']) }

/** Parses the query of an import. @param text what follows `?` @throws ProblemError `query-invalid` */
export function parseImportQuery (text: string): Pick<ImportOptions, 'mode' | 'dryRun'> {
  const { mode = 'best-effort', dry_run: dryRun } = parseQuery(text, parameters)
  // as: checked above.
  return { mode: mode as ImportOptions['mode'], dryRun: dryRun === 'true' }
}
