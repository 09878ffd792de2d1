import { command } from '@frontdesk/service-kit/cli/command'
import { assertNone, UsageError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { complete, defaults, type ShortEntry } from '../../admin/client-entry.js'
import { whyNotLibrary } from '../../admin/libraries/settings.js'
import { findRoles, missingRoles } from '../../admin/roles.js'
import { loadCallbackSchemes } from '../../config.js'
import { needsCallback } from '../../registration/client-rules.js'
import { pointTo } from '../explain.js'
import { toClient, type RemoteClient } from '../remote/clients.js'
import { listRemoteRoles } from '../remote/roles.js'
import { makeStores } from '../with-stores.js'
import { fieldsOf } from './describe.js'
import { FOR, settingsText, withUsual } from './library-settings.js'
import { nextStep } from './next-step.js'
import { asUsage, clientOptions, toChange, type Given } from './options.js'
import { shownOnce, warningsOf } from './warnings.js'

/** `client add`: registers a client. */
export const add = command('add <client_id>', {
  says: 'Register a client for the authorization code grant with PKCE, unless --grant names others.',
  options: {
    ...clientOptions(true),
    '--profile <profile>': { says: 'fapi2: meets the FAPI 2.0 Security Profile; needs --jwks', choices: ['fapi2'] },
    ...FOR
  },
  more: `Example:
  frontdesk-auth client add shop-web --name 'Web shop' \\
    --callback https://shop.example/callback --default-scope customer:read \\
    --grant authorization_code --grant refresh_token`,
  async run (input) {
    const [entry, schemes] = [newEntry(input), loadCallbackSchemes()]
    // Loaded on demand: the rules know every grant and authentication method.
    const { addClient, assertEntry } = await import('../../admin/clients.js')
    // Before a database is created.
    assertEntry(entry, schemes)
    assertNone(whyNotLibrary(input.for, complete(entry)))
    return await makeStores(async (stores, by) => {
      const added = await addClient(stores, entry, schemes, by).catch(asUsage)
        .catch(pointTo('taken clientId', `To see it: frontdesk-auth client show ${input.clientId}`))
      const missing = await missingRoles(added.client.signInRoles, async () => await findRoles(stores))
      return { ...added, missing, now: stores.clock.now() }
    })
  },
  async remote (api, input) {
    const entry = newEntry(input)
    assertNone(whyNotLibrary(input.for, complete(entry)))
    const added = await api.post<RemoteClient>('/clients', entry).catch(asUsage)
      .catch(pointTo('conflict clientId', `To see it: frontdesk-auth client show ${input.clientId}`))
    const missing = await missingRoles(added.signInRoles, async () => await listRemoteRoles(api))
    return { client: toClient(added), secret: added.secret, missing, now: new Date() }
  },
  text ({ client, secret, missing, now }, { clientId, for: library }) {
    const next = library === undefined ? nextStep(client) : `\n${settingsText(library, client)}`
    const warnings = warningsOf(client, now, missing.map(String))
    return `Registered the client ${quote(clientId)}.${warnings}${shownOnce(secret)}${next && `\n${next}`}`
  },
  fields: ({ client, secret }) => ({ ...fieldsOf(client), secret })
})

/** Defaults of a new client with the profile FAPI 2.0. */
const FAPI_DEFAULTS = { requirePar: true, requireDpop: true, idTokenAlg: 'ES256' } as const

/** Makes a new client from the options of `client add`, its library and its profile. @throws CommandError, UsageError */
function newEntry (input: Given & { readonly clientId: string, readonly profile?: 'fapi2', readonly for?: string }): ShortEntry {
  const { clientId, name: given, profile = null } = input
  const [name, options] = [String(given), { ...profile !== null && FAPI_DEFAULTS, ...withUsual(input) }]
  const entry = { clientId, name, profile, ...toChange(options, { ...defaults, clientId, name }) }
  if (needsCallback({ ...defaults, ...entry }) && input.callback === undefined) {
    throw new UsageError("required option '--callback <uri>' not specified")
  }
  return entry
}
