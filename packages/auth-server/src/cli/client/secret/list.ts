import { list } from '@frontdesk/service-kit/cli/table'
import type { Command } from 'commander'
import { unknownClientError } from '../describe.js'
import { jsonOption, print, type PrintOptions } from '../../print.js'
import { readStores } from '../../with-stores.js'

/** `client secret list`: the secrets of an app, by slot; only their hashes are stored. */
export function listClientSecrets (secret: Command): void {
  secret.command('list <client_id>')
    .description('List when each secret of an app was created. Only hashes are stored.')
    .addOption(jsonOption('the secrets'))
    .action(async (id: string, options: PrintOptions) => await readStores(async ({ clients, clientSecrets }) => {
      if (await clients.find(id) === null) throw unknownClientError(id, await clients.list())
      const all = await clientSecrets.list(id)
      const rows = all.map(({ slot, createdAt }) => [String(slot), createdAt.toISOString()])
      print(
        options,
        all.map(({ slot, createdAt }) => ({ clientId: id, slot, createdAt })),
        all.length === 0 ? 'The app has no secrets.' : list(['SLOT', 'CREATED'], rows)
      )
    }))
}
