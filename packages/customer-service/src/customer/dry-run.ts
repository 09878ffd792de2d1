import { Type } from '@sinclair/typebox'
import { oneOf, parseQuery } from './query.js'

/** Parameters of an operation that can be tried without changing anything. */
export const DryRun = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Reports what would happen and changes nothing.' }))
})

export const dryRunChecks = { dry_run: oneOf(['true', 'false']) }

/** Parses the query of an operation without other parameters. @throws ProblemError `query-invalid` */
export function parseDryRun (text: string): boolean {
  return parseQuery(text, dryRunChecks).dry_run === 'true'
}
