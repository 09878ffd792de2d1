import { CommandError, UsageError } from '@frontdesk/service-kit/cli/errors'
import { complete, defaults, type ShortEntry } from '../../admin/client-entry.js'
import { assertEntry, needsCallback } from '../../admin/clients.js'
import { whyNotLibrary, withUsual } from './library-settings.js'
import { toChange, type Given } from './options.js'

/** What the profile FAPI 2.0 sets for a new app, unless an option says otherwise. */
const FAPI_DEFAULTS = { requirePar: true, requireDpop: true, idTokenAlg: 'ES256' } as const

/** A new app as the options of `client add` describe it, its library and its profile. @throws CommandError, UsageError */
export function newEntry (input: Given & { readonly clientId: string, readonly profile?: 'fapi2', readonly for?: string }): ShortEntry {
  const { clientId, name: given, profile = null } = input
  const [name, options] = [String(given), { ...profile !== null && FAPI_DEFAULTS, ...withUsual(input) }]
  const entry = { clientId, name, profile, ...toChange(options, { ...defaults, clientId, name }) }
  if (needsCallback({ ...defaults, ...entry }) && input.callback === undefined) {
    throw new UsageError("required option '--callback <uri>' not specified")
  }
  return entry
}

/** @throws Refusal, CommandError if the app breaks a rule, or cannot use its library */
export function assertNew (entry: ShortEntry, schemes: readonly string[], library: string | undefined): void {
  assertEntry(entry, schemes)
  const why = whyNotLibrary(library, complete(entry))
  if (why !== null) throw new CommandError(why)
}
