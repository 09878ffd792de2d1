import type { Command } from 'commander'
import type { Client } from '../../oauth/client.js'
import type { ClientChange } from '../../stores/clients.js'
import type { Stores } from '../../stores/stores.js'
import { hasSecret, readGrants, usesImplicit } from '../client-grants.js'
import { checkClient, takeClientOptions, type ClientOptions } from '../client-options.js'
import { addSecret } from '../client-secret.js'
import { fieldsOf, noSuchClient } from '../describe-client.js'
import { warnOfNone } from '../grantless.js'
import { warnOfPkce } from '../optional-pkce.js'
import type { ImplicitPolicy } from '../implicit-policy.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { Refusal } from '../refusal.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'

type Options = PrintOptions & ClientOptions & { readonly name?: string }

/** `client update`: changes what is named of an app and keeps the rest. */
export function updateClient (client: Command): void {
  const command = client.command('update <client_id>')
    .description('Change an app. What no option names stays as it is.')
    .option('--name <text>', 'name on the consent page')
  takeClientOptions(command, () => '')
    .option('--no-native', 'it does not run on somebody\'s machine')
    .option('--no-resource', 'it may ask for tokens for the server\'s default alone')
    .option('--no-access-token-ttl', 'its access tokens live as long as the server says')
    .addOption(jsonOption('the app'))
    .addHelpText('after', `
An option that can be repeated stands for all: those that are not named are gone.

Example:
  frontdesk-auth client update shop-web \\
    --callback https://shop.example/callback --callback https://shop.example/new`)
    .action(async (id: string, options: Options, command: Command) => {
      const { json, ...named } = options
      const names = Object.keys(named)
      if (names.length === 0) command.error('error: name at least one option that says what is to change')
      await withStores(async stores => {
        const before = await stores.clients.find(id)
        if (before === null) throw noSuchClient(id, await stores.clients.list())
        const [change, policy] = [changeOf(options, before), policyOf(options, before)]
        await check({ ...before, ...change }, policy ?? before, options)
        if (!await stores.clients.change(id, change)) throw noSuchClient(id)
        if (policy !== undefined) await stores.clients.setImplicit(id, policy.implicit, policy.implicitUntil, new Date())
        await record(stores, 'client update', { clientId: id, details: { options: names } })
        const secret = await fitSecrets(stores, { ...before, ...change })
        const after = await stores.clients.find(id)
        if (after === null) throw noSuchClient(id)
        const changed = `Changed the app ${quote(id)}.${warnOfNone(after)}${warnOfPkce(after)}`
        if (secret === undefined) return print(options, fieldsOf(after), changed)
        print(options, { ...fieldsOf(after), secret }, `${changed}\nIts secret, shown only now: ${secret}`)
      })
    })
}

/** The columns that the options name. */
function changeOf (options: Options, before: Client): ClientChange {
  const { name, callback, resource, defaultScope, accessTokenTtl, native, grant, confidential, authMethod, pkce, jwks } = options
  const grants = readGrants(options)
  const isAuth = confidential !== undefined || authMethod !== undefined || jwks !== undefined
  // Keys go with the way that uses them: who names another way has none.
  const keys = authMethod === 'private_key_jwt' && jwks === undefined ? before.jwks : grants.jwks
  return {
    ...(name !== undefined && { name }),
    ...(callback !== undefined && { callbacks: [...new Set(callback)] }),
    ...(resource !== undefined && { resources: [...new Set(resource || [])] }),
    ...(defaultScope !== undefined && { defaultScope }),
    ...(accessTokenTtl !== undefined && { accessTokenTtl: accessTokenTtl === false ? null : Number(accessTokenTtl) }),
    ...(native !== undefined && { native }),
    ...(grant !== undefined && { grantTypes: grants.grantTypes }),
    ...(pkce !== undefined && { pkce }),
    ...(isAuth && { tokenEndpointAuthMethod: grants.tokenEndpointAuthMethod, jwks: keys })
  }
}

/** What becomes of the implicit grant: it is one of the grants, where those are named. `undefined`: nothing. */
function policyOf ({ implicit, grant }: Options, before: Client): ImplicitPolicy | undefined {
  const off: ImplicitPolicy = { implicit: 'off', implicitUntil: null }
  if (implicit !== undefined) return implicit || off
  if (grant === undefined) return undefined
  if (!usesImplicit({ grant })) return off
  return before.implicit === 'off' ? { implicit: 'allowed', implicitUntil: null } : undefined
}

/** @throws Refusal with all that is wrong of what it is to be */
async function check (after: Client, { implicit }: Pick<ImplicitPolicy, 'implicit'>, { accessTokenTtl }: Options): Promise<void> {
  await checkClient(after, accessTokenTtl || undefined)
  const needsCallback = implicit !== 'off' || after.grantTypes.includes('authorization_code')
  if (needsCallback && after.callbacks.length === 0) throw new Refusal('An app with this grant needs a callback: say --callback.')
}

/** A first secret for an app that has come to need one; one that needs none any more loses them, so that none comes back. */
async function fitSecrets ({ clientSecrets }: Stores, app: Client): Promise<string | undefined> {
  const there = await clientSecrets.list(app.id)
  if (!hasSecret(app)) for (const { slot } of there) await clientSecrets.remove(app.id, slot)
  return hasSecret(app) && there.length === 0 ? (await addSecret(clientSecrets, app.id)).secret : undefined
}
