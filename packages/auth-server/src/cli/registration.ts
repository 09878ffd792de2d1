import { command, noun } from '@frontdesk/service-kit/cli/command'
import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import {
  addRegistrationToken, checkToken, listRegistrationTokens, MAX_DAYS, MAX_USES, removeRegistrationToken, type ShownToken
} from '../admin/tokens.js'
import { USUAL_GRANTS } from '../oauth/grant-types.js'
import { minuteOf } from './print.js'
import { path } from './remote/api.js'
import { makeStores, readStores, withStores } from './with-stores.js'

const add = command('token', {
  says: 'Create a registration token, with which clients can register themselves.',
  options: {
    '--uses <number>': { says: `how many clients can register with it, 1 to ${MAX_USES}`, parse: wholeNumber(MAX_USES), default: 1 },
    '--days <number>': { says: `how many days it is valid, 1 to ${MAX_DAYS}`, parse: wholeNumber(MAX_DAYS), default: 7 },
    '--grant <grant>': { says: `what the clients may use; repeatable (default: ${USUAL_GRANTS.join(', ')})`, repeatable: true },
    '--allowed-scope <scope>': 'scopes that the clients can request (default: any that a user allows, none for client_credentials)'
  },
  more: 'Example:\n  frontdesk-auth registration token --uses 10 --days 1',
  async run ({ json, grant: grantTypes, ...options }) {
    const given = { ...options, grantTypes }
    // Before a database is created.
    checkToken(given)
    return await makeStores(async (stores, by) => await addRegistrationToken(stores, given, by))
  },
  remote: async (api, { uses, days, grant: grantTypes, allowedScope }) =>
    await api.post<ShownToken & { readonly token: string }>('/registration-tokens', { uses, days, grantTypes, allowedScope }),
  text: ({ token, ...made }) => {
    const apps = made.usesLeft === 1 ? 'one client' : `${made.usesLeft} clients`
    return `The token ${made.id} registers ${apps} until ${minuteOf(made.expiresAt)}. It is shown only now:\n${token}${warnOfNone(made)}`
  }
})

const all = command('list', {
  says: 'List the registration tokens.',
  run: async () => await readStores(async stores => (await listRegistrationTokens(stores)).tokens),
  remote: async api => (await api.list<ShownToken>('/registration-tokens')).items,
  text (tokens) {
    if (tokens.length === 0) return 'There are no tokens.'
    const isLimited = tokens.some(({ allowedScope }) => allowedScope !== '*')
    return list(['ID', 'USES LEFT', 'EXPIRES', 'GRANTS', ...isLimited ? ['ALLOWED SCOPE'] : []],
      tokens.map(({ id, usesLeft, expiresAt, grantTypes, allowedScope }) =>
        [id, String(usesLeft), minuteOf(expiresAt), grantTypes.join(' '), ...isLimited ? [allowedScope] : []]))
  }
})

const remove = command('remove <id>', {
  says: 'Remove a registration token. Clients that registered with it stay.',
  run: async ({ id }) => await withStores(async (stores, by) => await removeRegistrationToken(stores, id, by)),
  async remote (api, { id }) {
    await api.delete(path`/registration-tokens/${id}`)
    return { id }
  },
  text: ({ id }) => `Removed the token ${id}.`
})

/** The tokens with which clients register themselves. */
export const registration = noun('registration', 'Manage the tokens with which clients register themselves.', [add, all, remove])

/** Without a limit, such a client would get the scopes that it chooses itself. */
function warnOfNone ({ grantTypes, allowedScope }: ShownToken): string {
  if (!grantTypes.includes('client_credentials') || allowedScope !== '*') return ''
  return '\nThe clients get no scopes for themselves (client_credentials). To allow some: --allowed-scope'
}
