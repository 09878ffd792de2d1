import type { Command } from 'commander'
import type { Client } from '../../oauth/client.js'
import type { ClientChange } from '../../stores/clients.js'
import type { Stores } from '../../stores/stores.js'
import { hasSecret } from '../../registration/credentials.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { readGrantTypes, usesImplicit } from './grant-types.js'
import { loadClientCheck, takeClientOptions, type ClientCheck, type ClientOptions } from './options.js'
import { addSecret } from './secret/add.js'
import { fieldsOf, unknownClientError } from './describe.js'
import { resolveEdits, takeEditOptions } from './edits.js'
import { warnOfNone } from './grantless.js'
import { warnOfPkce } from './optional-pkce.js'
import { readLogo } from './logo.js'
import { sectorOf, whyNotSubject, type WrittenSubject } from './subject-type.js'
import { allowedScopeOf } from '../../registration/client-rules.js'
import { assertFuture, type ImplicitPolicy } from './implicit-policy.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'

type Options = PrintOptions & ClientOptions & { readonly name?: string }

/** `client update`: changes the named fields of an app. */
export function updateClient (client: Command): void {
  const command = client.command('update <client_id>')
    .description('Change an app. Fields without an option keep their values.')
    .option('--name <text>', 'name on the consent page')
  takeEditOptions(takeClientOptions(command, () => ''))
    .option('--no-logo', 'it has no logo')
    .option('--no-require-par', 'it may send its authorization requests by the browser')
    .option('--no-require-dpop', 'it may use bearer tokens')
    .option('--no-backchannel-logout-uri', 'it gets no logout tokens')
    .option('--no-backchannel-logout-session-required', 'it needs no sid in logout tokens')
    .option('--no-native', 'it does not run on the user\'s device')
    .option('--no-userinfo-alg', '/userinfo responses are JSON')
    .option('--no-resource', 'it may request tokens for the default audience only')
    .option('--no-access-token-ttl', 'its access tokens have the lifetime of ACCESS_TOKEN_TTL')
    .addOption(jsonOption('the app'))
    .addHelpText('after', `
A repeatable option replaces all its values; --add-… and --remove-… keep the
others, also if another operator changes them at the same time.

Examples:
  frontdesk-auth client update shop-web \\
    --add-callback https://shop.example/new
  frontdesk-auth client update shop-web --remove-grant implicit`)
    .action(async (id: string, options: Options, command: Command) => {
      const { json, ...named } = options
      const names = Object.keys(named)
      if (names.length === 0) command.error('error: name at least one option to change')
      await withStores(async stores => {
        const now = stores.clock.now()
        if (options.implicit) assertFuture(command, options.implicit, now)
        const checkClient = await loadClientCheck()
        let before: Client | undefined
        const isKnown = await stores.clients.change(id, app => {
          before = app
          return decide(resolveEdits(options, app), app, checkClient, now)
        })
        if (!isKnown || before === undefined) throw unknownClientError(id, await stores.clients.list())
        await record(stores, 'client update', { clientId: id, details: { options: names } })
        const after = await stores.clients.find(id)
        if (after === null) throw unknownClientError(id)
        const secret = await fitSecrets(stores, after)
        const changed = `Changed the app ${quote(id)}.${tellOfSector(before, after)}${warnOfNone(after, now)}${warnOfPkce(after)}`
        if (secret === undefined) return print(options, fieldsOf(after), changed)
        print(options, { ...fieldsOf(after), secret }, `${changed}\nIts secret, shown only now: ${secret}`)
      })
    })
}

/** A logo lends trust, and an app that registered itself can change its name later. */
function uncheckedError (id: string): CommandError {
  return new CommandError(`The app ${quote(id)} registered itself, so it gets no logo. To approve it first: frontdesk-auth client adopt ${id}`)
}

/** What becomes of an app, as it is in the transaction. @throws CommandError with every error of the changed app */
function decide (options: Options, before: Client, checkClient: ClientCheck, now: Date): ClientChange {
  if (options.logo && isSelfRegistered(before)) throw uncheckedError(before.id)
  const [change, policy] = [changeOf(options, before), policyOf(options, before)]
  const { implicit } = policy ?? before
  const after = { ...before, ...change, implicit }
  checkClient(after, options.accessTokenTtl || undefined, whyNotSubject(subjectOf(options, before), after.callbacks))
  const needsCallback = implicit !== 'off' || after.grantTypes.includes('authorization_code')
  if (needsCallback && after.callbacks.length === 0) throw new CommandError('An app with this grant needs a callback: add --callback.')
  return { ...change, ...(policy !== undefined && { policy: { ...policy, at: now } }) }
}

/** The columns that the options name. */
function changeOf (options: Options, before: Client): ClientChange {
  const { name, callback, resource, defaultScope, accessTokenTtl, idTokenAlg, native, grant, confidential, authMethod } = options
  const { postLogoutRedirectUri: ends, allowedScope, pkce, requirePar, requireDpop, userinfoAlg, subjectType, sectorIdentifier } = options
  const { jwks, jwksUri, idTokenClaims } = options
  const logo = readLogo(options)
  const { backchannelLogoutUri: logout, backchannelLogoutSessionRequired } = options
  const columns = readGrantTypes(options)
  const isAuth = [confidential, authMethod, jwks, jwksUri].some(it => it !== undefined)
  // Keys belong to private_key_jwt: another method removes them.
  const { jwks: keys, jwksUri: address = null } = authMethod === 'private_key_jwt' && (jwks ?? jwksUri) === undefined ? before : columns
  return {
    ...(name !== undefined && { name }),
    ...(logo !== undefined && { logo }),
    ...(callback !== undefined && { callbacks: [...new Set(callback)] }),
    ...(ends !== undefined && { postLogoutRedirectUris: [...new Set(ends)] }),
    ...(resource !== undefined && { resources: [...new Set(resource || [])] }),
    ...(defaultScope !== undefined && { defaultScope }),
    ...(allowedScope !== undefined && { allowedScope: allowedScopeOf(allowedScope) }),
    ...(accessTokenTtl !== undefined && { accessTokenTtl: accessTokenTtl === false ? null : Number(accessTokenTtl) }),
    ...(idTokenAlg !== undefined && { idTokenSignedResponseAlg: idTokenAlg }),
    ...(idTokenClaims !== undefined && { idTokenClaims }),
    ...(userinfoAlg !== undefined && { userinfoSignedResponseAlg: userinfoAlg || null }),
    ...((subjectType ?? sectorIdentifier) !== undefined && {
      sectorIdentifier: sectorOf(subjectOf(options, before), callback ?? before.callbacks)
    }),
    ...(requirePar !== undefined && { requirePushedAuthorizationRequests: requirePar }),
    ...(requireDpop !== undefined && { dpopBoundAccessTokens: requireDpop }),
    ...(logout !== undefined && { backchannelLogoutUri: logout || null }),
    ...(backchannelLogoutSessionRequired !== undefined && { backchannelLogoutSessionRequired }),
    ...(native !== undefined && { native }),
    ...(grant !== undefined && { grantTypes: columns.grantTypes }),
    ...(pkce !== undefined && { pkce }),
    ...(isAuth && { tokenEndpointAuthMethod: columns.tokenEndpointAuthMethod, jwks: keys, jwksUri: address })
  }
}

/** The subject type that the app has then. A sector stays when callbacks change, as long as none is named. */
function subjectOf ({ subjectType, sectorIdentifier }: Options, { sectorIdentifier: present }: Client): WrittenSubject {
  const type = subjectType ?? (present === null ? 'public' : 'pairwise')
  return { subjectType: type, sectorIdentifier: sectorIdentifier ?? (type === 'public' ? null : present) }
}

/** What follows from another sector. */
function tellOfSector ({ sectorIdentifier: before }: Client, { sectorIdentifier: after }: Client): string {
  return before === after ? '' : ' It sees another sub of each person from now on. Its access ends within ten seconds.'
}

/** The new policy of the implicit grant, which --grant sets too; `undefined`: unchanged. */
function policyOf ({ implicit, grant }: Options, before: Client): ImplicitPolicy | undefined {
  const off: ImplicitPolicy = { implicit: 'off', implicitUntil: null }
  if (implicit !== undefined) return implicit || off
  if (grant === undefined) return undefined
  if (!usesImplicit({ grant })) return off
  return before.implicit === 'off' ? { implicit: 'allowed', implicitUntil: null } : undefined
}

/** Adds a first secret if the app now needs one. Removes all if it no longer does, so that none becomes valid again later. */
async function fitSecrets (stores: Stores, app: Client): Promise<string | undefined> {
  const { clientSecrets } = stores
  const secrets = await clientSecrets.list(app.id)
  if (!hasSecret(app)) for (const { slot } of secrets) await clientSecrets.remove(app.id, slot)
  return hasSecret(app) && secrets.length === 0 ? (await addSecret(stores, app.id)).secret : undefined
}
