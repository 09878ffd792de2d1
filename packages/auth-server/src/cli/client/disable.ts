import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownClientError } from './describe.js'

/** `client disable`: treats an app as unknown, and revokes all its codes and tokens. */
export function disableClient (client: Command): void {
  client.command('disable <client_id>')
    .description('Refuse all requests of an app. Its access ends within ten seconds.')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: PrintOptions) => {
      await setDisabled(id, 'disable', options, `Disabled the app ${quote(id)}. Its access ends within ten seconds.`)
    })
}

/** `client enable`: undoes `client disable`. */
export function enableClient (client: Command): void {
  client.command('enable <client_id>')
    .description('Allow a disabled app to request access tokens again.')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: PrintOptions) => await setDisabled(id, 'enable', options, `Enabled the app ${quote(id)}.`))
}

/** @throws CommandError if no app has this id */
async function setDisabled (id: string, state: 'enable' | 'disable', options: PrintOptions, sentence: string): Promise<void> {
  await withStores(async stores => {
    const { clients, clock } = stores
    const app = await clients.setDisabled(id, state === 'disable' ? clock.now() : null) ? await clients.find(id) : null
    if (app === null) throw unknownClientError(id, await clients.list())
    await record(stores, `client ${state}`, { clientId: id })
    print(options, fieldsOf(app), sentence)
  })
}
