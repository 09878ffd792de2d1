import { command, noun } from '@frontdesk/service-kit/cli/command'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { assertNone } from '@frontdesk/service-kit/cli/errors'
import { YES } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import { writePolicy } from '../admin/implicit-policy.js'
import { whyNotLibrary } from '../admin/libraries/settings.js'
import { findClient } from '../admin/unknown.js'
import { listUsers } from '../admin/user-details.js'
import { logoOf } from '../oauth/client-logo.js'
import { isSelfRegistered } from '../oauth/identity.js'
import { add } from './client/add.js'
import { describe, fieldsOf } from './client/describe.js'
import { document } from './client/document.js'
import { FOR, settingsText } from './client/library-settings.js'
import { asUsage } from './client/options.js'
import { secret } from './client/secret.js'
import { update } from './client/update.js'
import { describeOmissions, warnOfNone } from './client/warnings.js'
import { describeState } from './print.js'
import { path } from './remote/api.js'
import { onRemoteClient, toClient, type RemoteClient } from './remote/clients.js'
import { listRemoteUsers } from './remote/users.js'
import { PAGE, pageNote, pageText } from './user-page.js'
import { readStores, withStores } from './with-stores.js'

// Loaded on demand: the rules know every grant and authentication method.
const load = async () => await import('../admin/clients.js')

const all = command('list', {
  says: 'List the clients.',
  json: 'the clients with all fields',
  run: async () => await readStores(async ({ clients }) => await clients.list()),
  remote: async api => (await api.list<RemoteClient>('/clients')).items.map(toClient),
  text (clients) {
    if (clients.length === 0) return 'No clients are registered.'
    const rows = clients.map(client => {
      const state = `${describeState(client)}${isSelfRegistered(client) ? ' (self-registered)' : ''}`
      return [client.id, state, client.createdAt.toISOString().slice(0, 10), client.name]
    })
    return [list(['CLIENT ID', 'STATE', 'REGISTERED', 'NAME'], rows), ...describeOmissions(clients)].join('\n')
  },
  fields: clients => clients.map(fieldsOf)
})

const show = command('show <client_id>', {
  says: 'Show a client with all its fields.',
  options: FOR,
  run: async ({ clientId, for: library }) => await readStores(async stores => {
    const client = await findClient(stores, clientId)
    assertNone(whyNotLibrary(library, client))
    return { client, logo: client.logoName === null ? null : await stores.clientLogos.find(client.logoName) }
  }),
  async remote (api, { clientId, for: library }) {
    const details = await api.get<RemoteClient>(path`/clients/${clientId}`)
    const client = toClient(details)
    assertNone(whyNotLibrary(library, client))
    return { client, logo: logoOf(details.logo ?? '') ?? null }
  },
  text: ({ client, logo }, { for: library }) => library === undefined ? describe(client, logo) : settingsText(library, client),
  fields: ({ client }) => fieldsOf(client)
})

const disable = command('disable <client_id>', {
  says: 'Refuse all requests of a client. Its access ends within ten seconds.',
  run: async ({ clientId }) => await withStores(async (stores, by) => await (await load()).setClientDisabled(stores, clientId, true, by)),
  remote: async (api, { clientId }) => await onRemoteClient(api, clientId, async client => await api.post(`${client}/disable`)),
  text: ({ id }) => `Disabled the client ${quote(id)}. Its access ends within ten seconds.`,
  fields: fieldsOf
})

const enable = command('enable <client_id>', {
  says: 'Allow a disabled client to request access tokens again.',
  run: async ({ clientId }) => await withStores(async (stores, by) => await (await load()).setClientDisabled(stores, clientId, false, by)),
  remote: async (api, { clientId }) => await onRemoteClient(api, clientId, async client => await api.post(`${client}/enable`)),
  text: ({ id }) => `Enabled the client ${quote(id)}.`,
  fields: fieldsOf
})

const implicit = command('implicit <client_id> <policy> [date]', {
  says: 'Set whether a client may use the implicit grant: allowed, warn, until <date> or off. warn and until announce the end in header fields.',
  options: { '--code': 'also allow the authorization code grant with PKCE' },
  more: 'Example:\n  frontdesk-auth client implicit shop-web until 2030-01-31 --code',
  run: async ({ clientId, ...input }) => await withStores(async (stores, by) => {
    const wanted = implicitOf(input)
    return { client: await (await load()).setImplicit(stores, clientId, wanted, by).catch(asUsage), now: stores.clock.now() }
  }),
  async remote (api, { clientId, ...input }) {
    const set = async (client: string) => await api.put<RemoteClient>(`${client}/implicit`, implicitOf(input))
    return { client: await onRemoteClient(api, clientId, set).catch(asUsage), now: new Date() }
  },
  text: ({ client, now }) => `The implicit grant of ${quote(client.id)}: ${writePolicy(client)}.${warnOfNone(client, now)}`,
  fields: ({ client }) => fieldsOf(client)
})

const people = command('people <client_id>', {
  says: 'List the users who have given a client access. To remove it for one: frontdesk-auth user revoke',
  options: PAGE,
  json: 'the users with all fields except the password',
  run: async ({ clientId, ...query }) => await readStores(async stores => {
    await findClient(stores, clientId)
    return await listUsers(stores, { ...query, clientId })
  }),
  async remote (api, { clientId, ...query }) {
    await api.get(path`/clients/${clientId}`)
    return await listRemoteUsers(api, { ...query, client: clientId })
  },
  text: (page, input) => pageText(page, input, `No one has given ${quote(input.clientId)} access.`),
  fields: ({ users }) => users,
  note: (page, input) => pageNote(page, input, `frontdesk-auth client people ${input.clientId}`)
})

const revoke = command('revoke <client_id>', {
  says: 'Revoke all codes, refresh tokens and access tokens of a client, which stays enabled.',
  more: `After a secret has leaked:
  frontdesk-auth client secret add <client_id>
  frontdesk-auth client secret remove <client_id> <slot>
  frontdesk-auth client revoke <client_id>`,
  run: async ({ clientId }) => await withStores(async (stores, by) => await (await load()).revokeClient(stores, clientId, by)),
  remote: async (api, { clientId }) => await onRemoteClient(api, clientId, async client => await api.post(`${client}/revoke`)),
  text: ({ id }) => `Revoked all tokens of the client ${quote(id)}. Its access ends within ten seconds.`,
  fields: fieldsOf
})

const adopt = command('adopt <client_id>', {
  says: 'Approve a self-registered client: from then on, only you can change it, and consent is remembered.',
  options: { '--allowed-scope <scope>': 'scopes that it can request; *: any except reserved ones, such as admin:read' },
  run: async ({ clientId, allowedScope }) => await withStores(async (stores, by) =>
    await (await import('../admin/adopt-client.js')).adoptClient(stores, clientId, allowedScope, by)),
  remote: async (api, { clientId, allowedScope }) =>
    await onRemoteClient(api, clientId, async client => await api.post(`${client}/adopt`, { allowedScope })),
  text: ({ id }) => `Adopted the client ${quote(id)}: it cannot change its registration any more, and its consent page does not warn. Check it:
frontdesk-auth client show ${id}`,
  fields: fieldsOf
})

const remove = command('remove <client_id>', {
  says: 'Permanently remove a client. Its access ends within ten seconds.',
  options: YES,
  run: async ({ clientId, ...sure }) => await withStores(async (stores, by) => {
    await confirmRemoval(await findClient(stores, clientId), sure)
    return await (await load()).removeClient(stores, clientId, by)
  }),
  remote: async (api, { clientId, ...sure }) => await onRemoteClient(api, clientId, async (client, { name }) => {
    await confirmRemoval({ id: clientId, name }, sure)
    await api.delete(client)
  }),
  text: ({ id }) => `Removed the client ${quote(id)}. Its access ends within ten seconds.`,
  fields: fieldsOf
})

function implicitOf ({ policy, date, code = false }: { readonly policy: string, readonly date?: string, readonly code?: boolean }) {
  return { policy: date === undefined ? policy : `${policy} ${date}`, withCode: code }
}

async function confirmRemoval ({ id, name }: Record<'id' | 'name', string>, sure: { readonly yes?: true }): Promise<void> {
  await confirm(`Permanently remove the client ${quote(id)} (${name})?`, sure)
}

/** Commands for clients. */
export const client = noun('client', 'Manage clients that can request access tokens.', [
  add, all, show, update, disable, enable, implicit, people, revoke, adopt, remove, secret, document
])
