import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { libraries } from '../../admin/libraries/index.js'
import { findLibrary, librarySettings } from '../../admin/libraries/settings.js'
import type { Client } from '../../oauth/client.js'
import { issuer } from './next-step.js'

/** The option `--for`. */
export const FOR = {
  '--for <library>': {
    says: 'print the settings of this library for the client, to sign users in',
    choices: libraries.map(({ name }) => name),
    parse: parseLibrary,
    conflicts: 'json'
  }
} as const

/** The settings of a library for a client, as text. */
export function settingsText (library: string, client: Client): string {
  const { settings, isNameless } = librarySettings(library, { ...client, issuer: issuer() })
  if (!isNameless) return settings
  return `${settings}\n\nThis library reads the name from the ID token. To include it: ` +
    `frontdesk-auth client update ${client.id} --id-token-claims`
}

/** Options of a new client, with its library's defaults. */
export function withUsual<Given extends { readonly for?: string }> (given: Given): Given {
  if (given.for === undefined) return given
  const requireDpop = 'requireDpop' in given && given.requireDpop === true
  return { ...findLibrary(given.for).usual?.({ requireDpop }), ...given }
}

/** @throws UsageError for an unknown library */
function parseLibrary (text: string): string {
  const found = libraries.find(({ name, aliases }) => name === text || aliases?.includes(text))
  if (found === undefined) throw new UsageError(`Allowed choices are ${libraries.map(({ name }) => name).join(', ')}.`)
  return found.name
}
