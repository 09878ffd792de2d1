import { joinOr } from '@frontdesk/service-kit/join-or'
import { InvalidArgumentError, type Command } from 'commander'
import { randomBytes } from 'node:crypto'
import { DEVICE_CODE } from '../../oauth/device-grant.js'
import { allowedScopeOf, whyNotAllowedScope } from '../../registration/client-rules.js'
import { USUAL_GRANTS } from '../../registration/usual-grants.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../sign-in/opaque-token.js'
import type { RegistrationToken } from '../../stores/registration-tokens.js'
import { assertNone } from '@frontdesk/service-kit/cli/errors'
import { jsonOption, minuteOf, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { makeStores } from '../with-stores.js'

interface Options extends PrintOptions {
  readonly uses: number
  readonly days: number
  readonly grant: readonly string[]
  readonly allowedScope?: string
}

/** Grants that a token may allow. */
const GRANTS = [...USUAL_GRANTS, 'client_credentials', DEVICE_CODE, 'implicit']

const [MAX_USES, MAX_DAYS] = [10_000, 365]

/** `registration token`: makes an initial access token (RFC 7591 §3). */
export function addRegistrationToken (registration: Command): void {
  registration.command('token')
    .description('Make a token with which apps register themselves.')
    .option('--uses <number>', `how many apps it registers, 1 to ${MAX_USES}`, within(MAX_USES), 1)
    .option('--days <number>', `how many days it is valid, 1 to ${MAX_DAYS}`, within(MAX_DAYS), 7)
    .option('--grant <grant>', `what the apps may use; repeatable (default: ${USUAL_GRANTS.join(', ')})`, collect, [])
    .option('--allowed-scope <scope>', 'scopes that the apps can request (default: any that a user allows, none for client_credentials)')
    .addOption(jsonOption('the token'))
    .addHelpText('after', `
Example:
  frontdesk-auth registration token --uses 10 --days 1`)
    .action(async ({ uses: usesLeft, days, grant, allowedScope: scope = '*', ...options }: Options) => {
      const unknown = grant.find(it => !GRANTS.includes(it))
      const allowedScope = allowedScopeOf(scope)
      assertNone(unknown === undefined ? null : `A grant must be ${joinOr(GRANTS)}.`, whyNotAllowedScope(allowedScope, ''))
      await makeStores(async stores => {
        const createdAt = stores.clock.now()
        const expiresAt = new Date(createdAt.getTime() + days * 24 * 60 * 60_000)
        const token = randomOpaqueToken()
        const grantTypes = grant.length === 0 ? USUAL_GRANTS : [...new Set(grant)]
        const row = { id: randomBytes(4).toString('hex'), usesLeft, grantTypes, allowedScope, createdAt, expiresAt }
        await stores.registrationTokens.add({ ...row, hash: hashOpaqueToken(token) })
        await record(stores, 'registration token', { details: { id: row.id, uses: usesLeft, grantTypes, allowedScope: scope } })
        print(options, { ...row, allowedScope: scope, token }, `
The token ${row.id} registers ${usesLeft === 1 ? 'one app' : `${usesLeft} apps`} until ${minuteOf(expiresAt)}. It is shown only now:
${token}${warnOfNone(row)}`.trimStart())
      })
    })
}

/** Without a limit, what such an app says of itself would be what it gets. */
function warnOfNone ({ grantTypes, allowedScope }: Pick<RegistrationToken, 'grantTypes' | 'allowedScope'>): string {
  if (!grantTypes.includes('client_credentials') || allowedScope !== null) return ''
  return '\nThe apps get no scopes for themselves (client_credentials). To allow some: --allowed-scope'
}

function within (maximum: number): (text: string) => number {
  return text => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (number < 1 || number > maximum) throw new InvalidArgumentError(`Give a whole number from 1 to ${maximum}.`)
    return number
  }
}

function collect (value: string, before: readonly string[]): string[] {
  return [...before, value]
}
