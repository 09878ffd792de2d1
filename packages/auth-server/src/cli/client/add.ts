import type { Command } from 'commander'
import { refuseCallback } from '../../oauth/redirect-uri.js'
import type { NewClient } from '../../stores/clients.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { Refusal, refuseFor } from '../refusal.js'
import { quote, refuseName } from '../text.js'
import { withStores } from '../with-stores.js'
import { fieldsOf, noSuchClient } from '../describe-client.js'
import { refuseClientId, refuseDefaultScope, refuseResource, refuseTtl } from '../client-rules.js'

interface Options extends PrintOptions {
  readonly name: string
  readonly callback: readonly string[]
  readonly resource?: readonly string[]
  readonly defaultScope?: string
  readonly accessTokenTtl?: string
  readonly implicit: boolean
}

/** `client add`: registers an app (RFC 6749 §2). */
export function addClient (client: Command): void {
  client.command('add <client_id>')
    .description('Register an app.')
    .requiredOption('--name <text>', 'what the consent page calls it')
    .requiredOption('--callback <uri>', 'where answers may go, byte for byte; repeat it for more', collect)
    .option('--default-scope <scope>', 'scope of a request that names none (default: none)')
    .option('--resource <uri>', 'a resource it may ask tokens for, beside the server\'s default; repeat it for more', collect)
    .option('--access-token-ttl <seconds>', 'lifetime of its access tokens (default: the server\'s)')
    .option('--no-implicit', 'it may not use the implicit grant')
    .addOption(jsonOption('the app'))
    .addHelpText('after', `
Example:
  frontdesk-auth client add shop-web --name 'Web shop' \\
    --callback https://shop.example/callback --default-scope 'customer:read'`)
    .action(async (id: string, options: Options) => {
      const app = await check(id, options)
      await withStores(async ({ clients }) => {
        if (!await clients.add(app)) throw new Refusal(`The client_id ${quote(id)} is taken. To see it: frontdesk-auth client show ${id}`)
        const added = await clients.find(id)
        if (added === null) throw noSuchClient(id)
        print(options, fieldsOf(added), `Registered the app ${quote(id)}.`)
      })
    })
}

function collect (value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** @throws Refusal with all that is wrong */
async function check (id: string, options: Options): Promise<NewClient> {
  const { TOKEN_TTL } = await import('../../config.js')
  const { name, defaultScope = '', accessTokenTtl: ttl } = options
  const [callbacks, resources] = [[...new Set(options.callback)], [...new Set(options.resource)]]
  refuseFor(
    refuseClientId(id),
    refuseName('name', name),
    ...each(callbacks, refuseCallback),
    refuseDefaultScope(defaultScope),
    ...each(resources, refuseResource),
    ttl === undefined ? undefined : refuseTtl(ttl, TOKEN_TTL)
  )
  return {
    id,
    name,
    callbacks,
    resources,
    defaultScope,
    accessTokenTtl: ttl === undefined ? null : Number(ttl),
    implicit: options.implicit ? 'allowed' : 'off',
    demo: false
  }
}

function each (uris: readonly string[], refuse: (uri: string) => string | undefined) {
  return uris.map(uri => {
    const reason = refuse(uri)
    return reason && `${quote(uri)}: ${reason}`
  })
}
