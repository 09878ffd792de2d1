import type { AppSince } from '../../stores/operations/selection.js'
import { dryRunChecks } from '../dry-run.js'
import { parameters } from '../list-query.js'
import { parametersError, parseQuery, type Check } from '../query.js'

/** Longest `client_id`: that of a client metadata document is a URL. */
const MAX_CLIENT_ID = 2_000

const clientId: Check = value => value !== '' && value.length <= MAX_CLIENT_ID
  ? undefined
  : { detail: `Must have 1 to ${MAX_CLIENT_ID.toLocaleString('en')} characters.` }

/**
 * Parses the query of an undo of what an app did.
 * @param own the app that makes the request, if it has a token
 * @param period the times since when it can be undone, in milliseconds
 * @throws ProblemError `query-invalid` with every invalid parameter
 */
export function parseAppQuery (
  text: string, own: string | undefined, { from, to }: { readonly from: number, readonly to: number }
): AppSince & { dryRun: boolean } {
  const since: Check = value => {
    const violation = parameters.updated_since(value)
    if (violation !== undefined) return violation
    const time = Date.parse(value.toUpperCase())
    if (time > to) return { detail: 'Must not be in the future.' }
    if (time >= from) return undefined
    if (from > to) return { detail: 'There is no history, so nothing can be undone.' }
    return { detail: `Must not be before ${new Date(from).toISOString()}, where the history begins.` }
  }
  const { client_id: app = own, since: time, dry_run: dry } = parseQuery(text, { client_id: clientId, since, ...dryRunChecks })
  if (app === undefined) throw parametersError([{ field: 'client_id', detail: 'Is required without an access token.' }])
  if (time === undefined) throw parametersError([{ field: 'since', detail: 'Is required: changes since this time are undone.' }])
  return { clientId: app, since: new Date(time.toUpperCase()), dryRun: dry === 'true' }
}
