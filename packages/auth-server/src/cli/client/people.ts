import type { Command } from 'commander'
import { printPage, takePageOptions, type PageOptions } from '../user/page.js'
import { quote } from '@frontdesk/service-kit/showable'
import { readStores } from '../with-stores.js'
import { unknownClientError } from './describe.js'

/** `client people`: the people whose account an app has access to, by user name. */
export function listPeople (client: Command): void {
  takePageOptions(client.command('people <client_id>')
    .description('List the people who have given an app access. To remove it for one: frontdesk-auth user revoke'))
    .action(async (id: string, options: PageOptions) => await readStores(async ({ clients, users }) => {
      if (await clients.find(id) === null) throw unknownClientError(id, await clients.list())
      const texts = { command: `frontdesk-auth client people ${id}`, none: `No one has given ${quote(id)} access.` }
      await printPage(options, texts, async page => await users.list({ ...page, clientId: id }))
    }))
}
