import { Option, type Command } from 'commander'
import type { Client } from '../../oauth/client.js'
import type { NewClient } from '../../stores/client-row.js'
import { DEFAULT_GRANT_TYPES, DEFAULT_IMPLICIT, needsCallback, readGrantTypes, usesImplicit } from './grant-types.js'
import { loadClientCheck, takeClientOptions, type ClientOptions } from './options.js'
import { allowedScopeOf, whyNotClientId } from '../../registration/client-rules.js'
import { hasSecret } from '../../registration/credentials.js'
import { FAPI_DEFAULTS, PROFILES } from './profile.js'
import { addSecret } from './secret/add.js'
import { fieldsOf, unknownClientError } from './describe.js'
import { warnOfNone } from './grantless.js'
import { assertFuture } from './implicit-policy.js'
import { libraryOption, librarySettings, whyNotLibrary, withUsual, type LibraryOptions } from './library-settings.js'
import { readLogo } from './logo.js'
import { nextStep } from './next-step.js'
import { warnOfPkce } from './optional-pkce.js'
import { sectorOf, whyNotSubject } from './subject-type.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { makeStores } from '../with-stores.js'

type Options = PrintOptions & ClientOptions & LibraryOptions & { readonly name: string, readonly profile?: Client['profile'] }

/** `client add`: registers an app (RFC 6749 §2). */
export function addClient (client: Command): void {
  const command = client.command('add <client_id>')
    .description('Register an app for the authorization code grant with PKCE, unless --grant names others.')
    .requiredOption('--name <text>', 'name on the consent page')
  takeClientOptions(command, usual => ` (default: ${usual})`)
    .addOption(new Option('--profile <profile>', 'fapi2: meets the FAPI 2.0 Security Profile; needs --jwks').choices(PROFILES))
    .addOption(jsonOption('the app'))
    .addOption(libraryOption())
    .addHelpText('after', `
Example:
  frontdesk-auth client add shop-web --name 'Web shop' \\
    --callback https://shop.example/callback --default-scope customer:read \\
    --grant authorization_code --grant refresh_token`)
    .action(async (id: string, options: Options, command: Command) => {
      if (options.callback === undefined && needsCallback(options)) command.error("error: required option '--callback <uri>' not specified")
      const app = await check(id, options)
      await makeStores(async stores => {
        const { clients } = stores
        const now = stores.clock.now()
        if (options.implicit) assertFuture(command, options.implicit, now)
        if (!await clients.add({ ...app, implicitDeprecatedAt: now })) {
          throw new CommandError(`The client_id ${quote(id)} is taken. To see it: frontdesk-auth client show ${id}`)
        }
        await record(stores, 'client add', { clientId: id })
        const added = await clients.find(id)
        if (added === null) throw unknownClientError(id)
        const registered = `Registered the app ${quote(id)}.${warnOfNone(added, now)}${warnOfPkce(added)}`
        const next = options.for === undefined ? nextStep(added) : `\n${librarySettings(options.for, added)}`
        const secret = hasSecret(added) ? (await addSecret(stores, id)).secret : undefined
        const shown = secret === undefined ? '' : `\nIts secret, shown only now: ${secret}`
        print(options, { ...fieldsOf(added), secret }, `${registered}${shown}${next && `\n${next}`}`)
      })
    })
}

/** @throws CommandError with every error */
async function check (id: string, given: Options): Promise<NewClient> {
  const options = withUsual(given)
  const profiled = { ...(options.profile === 'fapi2' && FAPI_DEFAULTS), ...options }
  const { name, defaultScope = '', accessTokenTtl, idTokenAlg = 'RS256', userinfoAlg, implicit } = profiled
  const { requirePar = false, requireDpop = false, native = false, profile = null } = profiled
  const { subjectType = 'public', sectorIdentifier = null, callback = [] } = options
  const subject = { subjectType, sectorIdentifier }
  const { backchannelLogoutUri, backchannelLogoutSessionRequired = false } = options
  const ttl = accessTokenTtl || undefined
  const app = {
    name,
    logo: readLogo(options) ?? null,
    callbacks: [...new Set(callback)],
    postLogoutRedirectUris: [...new Set(options.postLogoutRedirectUri)],
    resources: [...new Set(options.resource || [])],
    defaultScope,
    allowedScope: allowedScopeOf(options.allowedScope ?? '*'),
    ...readGrantTypes({ grant: DEFAULT_GRANT_TYPES, ...options }),
    requirePushedAuthorizationRequests: requirePar,
    dpopBoundAccessTokens: requireDpop,
    backchannelLogoutUri: backchannelLogoutUri || null,
    backchannelLogoutSessionRequired,
    profile,
    idTokenSignedResponseAlg: idTokenAlg,
    idTokenClaims: options.idTokenClaims ?? false,
    userinfoSignedResponseAlg: userinfoAlg || null,
    sectorIdentifier: sectorOf(subject, callback),
    native
  }
  const policy: Pick<Client, 'implicit'> & Partial<Pick<Client, 'implicitUntil'>> = implicit === false
    ? { implicit: 'off' }
    : implicit ?? (usesImplicit(options) ? { implicit: 'allowed' } : DEFAULT_IMPLICIT)
  const faults = [whyNotClientId(id), whyNotLibrary(options, app), whyNotSubject(subject, callback)]
  const checkClient = await loadClientCheck()
  checkClient({ ...app, implicit: policy.implicit }, ttl, ...faults)
  return { ...app, id, accessTokenTtl: ttl === undefined ? null : Number(ttl), ...policy, demo: false }
}
