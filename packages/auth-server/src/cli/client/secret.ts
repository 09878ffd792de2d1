import { command, noun } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import { addSecret, listSecrets, removeSecret } from '../../admin/client-secrets.js'
import { pointTo } from '../explain.js'
import { path, type Items } from '../remote/api.js'
import { readStores, withStores } from '../with-stores.js'

interface ListedSecret { readonly slot: number, readonly createdAt: Date }
interface NewSecret { readonly slot: number, readonly secret: string }

const add = command('add <client_id>', {
  says: 'Add a secret to a client, which can have two.',
  run: async ({ clientId }) => await withStores(async (stores, by) => await addSecret(stores, clientId, by))
    .catch(pointToRemoval(clientId)),
  remote: async (api, { clientId }) => {
    const added = await api.post<NewSecret>(path`/clients/${clientId}/secrets`).catch(pointToRemoval(clientId))
    return { clientId, ...added }
  },
  text: ({ clientId, slot, secret }) => `Secret ${slot} of ${quote(clientId)}, shown only now: ${secret}`
})

const all = command('list <client_id>', {
  says: 'List when each secret of a client was created. Only hashes are stored.',
  run: async ({ clientId }) => await readStores(async stores => await listSecrets(stores, clientId)),
  remote: async (api, { clientId }) => (await api.get<Items<ListedSecret>>(path`/clients/${clientId}/secrets`)).items
    .map(secret => ({ clientId, ...secret })),
  text: secrets => secrets.length === 0
    ? 'The client has no secrets.'
    : list(['SLOT', 'CREATED'], secrets.map(({ slot, createdAt }) => [String(slot), createdAt.toISOString()]))
})

const remove = command('remove <client_id> <slot>', {
  says: 'Remove a secret of a client. Tokens obtained with it stay valid.',
  run: async ({ clientId, slot }) => await withStores(async (stores, by) => {
    const removed = await removeSecret(stores, clientId, slot, by)
    return { ...removed, left: (await listSecrets(stores, clientId)).length }
  }).catch(pointToList(clientId)),
  async remote (api, { clientId, slot }) {
    await api.delete(path`/clients/${clientId}/secrets/${slot}`).catch(pointToList(clientId))
    const { items } = await api.get<Items<ListedSecret>>(path`/clients/${clientId}/secrets`)
    return { clientId, slot: Number(slot), left: items.length }
  },
  text: ({ clientId, slot, left }) => `Removed the secret ${slot} of ${quote(clientId)}.${left > 0
    ? ''
    : `\nIt has no secret now, so it cannot authenticate. To add one: frontdesk-auth client secret add ${clientId}`}`,
  fields: ({ clientId, slot }) => ({ clientId, slot })
})

/** Client secrets: a client can have two, so that one can replace the other without downtime. */
export const secret = noun('secret', 'Manage client secrets.', [add, all, remove])

function pointToRemoval (clientId: string) {
  return pointTo('conflict slot', `Remove one: frontdesk-auth client secret remove ${clientId} <slot>`)
}

function pointToList (clientId: string) {
  return pointTo('unknown slot', `To list them: frontdesk-auth client secret list ${clientId}`)
}
