import { parse } from 'node:querystring'
import { queryInvalid } from '../../problems/list.js'
import { nearest } from '../nearest.js'
import type { ImportOptions } from './run.js'

/** The parameters of a query, and their values. */
const PARAMETERS: Record<string, readonly string[]> = { mode: ['best-effort', 'all-or-nothing'], dry_run: ['true', 'false'] }

/** Parses the query of an import. @param text what follows `?` @throws ProblemError `query-invalid` */
export function parseImportQuery (text: string): Pick<ImportOptions, 'mode' | 'dryRun'> {
  const { mode = 'best-effort', dry_run: dryRun } = parseChoices(text, PARAMETERS)
  // as: checked below.
  return { mode: mode as ImportOptions['mode'], dryRun: dryRun === 'true' }
}

/** Parses parameters of which each has some values. @throws ProblemError `query-invalid` with every parameter that is wrong */
export function parseChoices (text: string, choices: Record<string, readonly string[]>): Partial<Record<string, string>> {
  const given = parse(text, '&', '=', { maxKeys: 0 })
  const errors = Object.entries(given).flatMap(([field, value]) => {
    const values = Object.hasOwn(choices, field) ? choices[field] : undefined
    if (values === undefined) {
      const meant = nearest(field, Object.keys(choices))
      return [{ field, detail: meant === undefined ? 'There is no such parameter.' : `There is no such parameter; did you mean \`${meant}\`?` }]
    }
    return typeof value === 'string' && values.includes(value) ? [] : [{ field, detail: `Must be one of ${values.join(', ')}, sent once.` }]
  }).slice(0, 32)
  if (errors.length > 0) {
    throw queryInvalid(`Correct the parameters in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
  }
  // as: each occurs once, as checked above.
  return given as Record<string, string>
}
