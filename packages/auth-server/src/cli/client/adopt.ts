import type { Command } from 'commander'
import type { Client } from '../../oauth/client.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { allowedOf, parseScope } from '../../oauth/scope.js'
import { allowedScopeOf, whyNotAllowedScope } from '../../registration/client-rules.js'
import type { ClientChange } from '../../stores/clients.js'
import { assertNone, CommandError } from '@frontdesk/service-kit/cli/errors'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownClientError } from './describe.js'

interface Options extends PrintOptions { readonly allowedScope?: string }

/** `client adopt`: vouches for an app that registered itself. */
export function adoptClient (client: Command): void {
  client.command('adopt <client_id>')
    .description('Approve a self-registered app: from then on, only you can change it, and consent is remembered.')
    .option('--allowed-scope <scope>', 'scopes that it can request; *: any')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: Options) => await withStores(async stores => {
      const { clients } = stores
      const isKnown = await clients.change(id, app => {
        if (!isSelfRegistered(app)) throw new CommandError(`The app ${quote(id)} did not register itself.`)
        return { registeredBy: 'operator', ...scopesOf(app, options) }
      })
      const after = isKnown ? await clients.find(id) : null
      if (after === null) throw unknownClientError(id, await clients.list())
      await record(stores, 'client adopt', { clientId: id })
      print(options, fieldsOf(after), `
Adopted the app ${quote(id)}: it cannot change its registration any more, and its consent page does not warn. Check it:
frontdesk-auth client show ${id}`.trimStart())
    }))
}

/**
 * The scopes that the app has from then on. @throws CommandError if it gets scopes for itself and no operator has said which: its
 * default scope, which it chose itself, would be the limit
 */
function scopesOf (client: Client, { allowedScope: text }: Options): Pick<ClientChange, 'allowedScope' | 'defaultScope'> {
  if (text === undefined) {
    if (client.allowedScope !== null || !client.grantTypes.includes('client_credentials')) return {}
    throw new CommandError(`The app ${quote(client.id)} can request tokens for itself (client_credentials), with the default scope ` +
      `${quote(client.defaultScope)} that it chose. List the scopes that it can request: --allowed-scope`)
  }
  const allowedScope = allowedScopeOf(text)
  assertNone(whyNotAllowedScope(allowedScope, ''))
  return { allowedScope, defaultScope: allowedOf(parseScope(client.defaultScope), allowedScope).join(' ') }
}
