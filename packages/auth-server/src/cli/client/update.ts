import { command } from '@frontdesk/service-kit/cli/command'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import type { EntryChange } from '../../admin/clients.js'
import { findRoles, missingRoles } from '../../admin/roles.js'
import { loadCallbackSchemes } from '../../config.js'
import { path } from '../remote/api.js'
import { toClient, type RemoteClient } from '../remote/clients.js'
import { listRemoteRoles } from '../remote/roles.js'
import { withStores } from '../with-stores.js'
import { fieldsOf } from './describe.js'
import { asUsage, clientOptions, toChange } from './options.js'
import { shownOnce, warningsOf } from './warnings.js'

/** `client update`: changes a client. */
export const update = command('update <client_id>', {
  says: 'Change a client. Fields without an option keep their values.',
  options: clientOptions(false),
  more: `A repeatable option replaces all its values; --add-… and --remove-… keep the
others, also if another operator changes them at the same time.

Examples:
  frontdesk-auth client update shop-web \\
    --add-callback https://shop.example/new
  frontdesk-auth client update shop-web --remove-grant implicit`,
  async run ({ clientId, json, ...options }) {
    assertSome(options)
    const change: EntryChange = { change: before => toChange(options, before), schemes: loadCallbackSchemes() }
    // Loaded on demand: the rules know every grant and authentication method.
    const { updateClient } = await import('../../admin/clients.js')
    return await withStores(async (stores, by) => {
      const updated = await updateClient(stores, clientId, change, by).catch(asUsage)
      const missing = await missingRoles(updated.client.signInRoles, async () => await findRoles(stores))
      return { ...updated, missing, now: stores.clock.now() }
    })
  },
  async remote (api, { clientId, json, ...options }) {
    assertSome(options)
    const { before, after } = await api.edit<RemoteClient, RemoteClient>(path`/clients/${clientId}`, before =>
      toChange(options, { ...before, logo: null, disabled: false })).catch(asUsage)
    const missing = await missingRoles(after.signInRoles, async () => await listRemoteRoles(api))
    return { client: toClient(after), before: toClient(before), secret: after.secret, missing, now: new Date() }
  },
  text ({ client, before, secret, missing, now }, { clientId }) {
    const moved = before.sectorIdentifier === client.sectorIdentifier
      ? ''
      : ' It sees another sub of each user from now on. Its access ends within ten seconds.'
    return `Changed the client ${quote(clientId)}.${moved}${warningsOf(client, now, missing.map(String))}${shownOnce(secret)}`
  },
  fields: ({ client, secret }) => ({ ...fieldsOf(client), secret })
})

/** @throws UsageError without an option */
function assertSome (options: object): void {
  if (Object.keys(options).length === 0) throw new UsageError('name at least one option to change')
}
