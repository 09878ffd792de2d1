import type { Command } from 'commander'
import { unknownClientError, fieldsOf } from './describe.js'
import { warnOfNone } from './grantless.js'
import { parseFuturePolicy, writePolicy } from './implicit-policy.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'

/** `client implicit`: moves an app away from the implicit grant, step by step. */
export function setImplicit (client: Command): void {
  client.command('implicit <client_id> <policy> [date]')
    .description('Set whether an app may use the implicit grant: allowed, warn, until <date> or off. warn and until announce the end in header fields.')
    .option('--code', 'also allow the authorization code grant with PKCE')
    .addOption(jsonOption('the app'))
    .addHelpText('after', `
Example:
  frontdesk-auth client implicit shop-web until 2030-01-31 --code`)
    .action(async (id: string, word: string, date: string | undefined, { code = false, ...options }: PrintOptions & { code?: boolean }, command: Command) => {
      const policy = read(command, date === undefined ? word : `${word} ${date}`)
      await withStores(async stores => {
        const app = await stores.clients.setImplicit(id, policy.implicit, policy.implicitUntil, stores.clock.now(), code) ? await stores.clients.find(id) : null
        if (app === null) throw unknownClientError(id, await stores.clients.list())
        await record(stores, 'client implicit', { clientId: id, details: { policy: writePolicy(app), code } })
        print(options, fieldsOf(app), `The implicit grant of ${quote(id)}: ${writePolicy(app)}.${warnOfNone(app)}`)
      })
    })
}

function read (command: Command, text: string) {
  try {
    return parseFuturePolicy(text)
  } catch (error) {
    return command.error(`error: ${error instanceof Error ? error.message : error}`)
  }
}
