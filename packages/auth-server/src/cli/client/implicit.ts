import type { Command } from 'commander'
import { unknownClientError, fieldsOf } from './describe.js'
import { warnOfNone } from './grantless.js'
import { assertFuture, parsePolicy, writePolicy } from './implicit-policy.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'

/** `client implicit`: phases out the implicit grant for an app. */
export function setImplicit (client: Command): void {
  client.command('implicit <client_id> <policy> [date]')
    .description(
      'Set whether an app may use the implicit grant: allowed, warn, until <date> or off. warn and until announce the end in header fields.'
    )
    .option('--code', 'also allow the authorization code grant with PKCE')
    .addOption(jsonOption('the app'))
    .addHelpText('after', `
Example:
  frontdesk-auth client implicit shop-web until 2030-01-31 --code`)
    .action(async (
      id: string,
      word: string,
      date: string | undefined,
      { code = false, ...options }: PrintOptions & { code?: boolean },
      command: Command
    ) => {
      const policy = read(command, date === undefined ? word : `${word} ${date}`)
      await withStores(async stores => {
        const now = stores.clock.now()
        assertFuture(command, policy, now)
        const app = await stores.clients.setImplicit(id, policy.implicit, policy.implicitUntil, now, code)
          ? await stores.clients.find(id)
          : null
        if (app === null) throw unknownClientError(id, await stores.clients.list())
        await record(stores, 'client implicit', { clientId: id, details: { policy: writePolicy(app), code } })
        print(options, fieldsOf(app), `The implicit grant of ${quote(id)}: ${writePolicy(app)}.${warnOfNone(app, now)}`)
      })
    })
}

function read (command: Command, text: string) {
  try {
    return parsePolicy(text)
  } catch (error) {
    return command.error(`error: ${error instanceof Error ? error.message : error}`)
  }
}
