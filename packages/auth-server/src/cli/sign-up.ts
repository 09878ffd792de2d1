import { command, noun } from '@frontdesk/service-kit/cli/command'
import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import { addSignUpCode, listSignUpCodes, MAX_DAYS, MAX_USES, removeSignUpCode, type AddedSignUpCode } from '../admin/sign-up-codes.js'
import { findIssuer } from '../config.js'
import type { SignUpCode } from '../stores/users/sign-up-codes.js'
import { minuteOf } from './print.js'
import { path, type Items } from './remote/api.js'
import { readStores, withStores } from './with-stores.js'

const add = command('code', {
  says: 'Create an invitation code, with which people can create an account (SIGN_UP=code).',
  options: {
    '--label <text>': { says: 'what it is called in lists', default: 'Invitation' },
    '--uses <number>': { says: `how many people can use it, 1 to ${MAX_USES}`, parse: wholeNumber(MAX_USES), default: 1 },
    '--days <number>': { says: `how many days it is valid, 1 to ${MAX_DAYS}`, parse: wholeNumber(MAX_DAYS), default: 7 },
    '--role <name>': 'role that these people get; none that is built in'
  },
  more: 'Example:\n  frontdesk-auth sign-up code --label Partners --uses 10 --days 30',
  run: async options => await withStores(async (stores, by) => await addSignUpCode(stores, options, by)),
  remote: async (api, { label, uses, days, role }) =>
    await api.post<AddedSignUpCode>('/sign-up-codes', { label, uses, days, role }),
  text ({ code, usesLeft, expiresAt }) {
    const people = usesLeft === 1 ? 'one person' : `${usesLeft} people`
    return `For ${people}, until ${minuteOf(expiresAt)}. The code is shown only now:\n${code}\n${findIssuer()}/sign-up?code=${code}`
  }
})

const all = command('list', {
  says: 'List the invitation codes.',
  run: async () => await readStores(listSignUpCodes),
  remote: async api => (await api.get<Items<SignUpCode>>('/sign-up-codes')).items,
  text: codes => codes.length === 0
    ? 'There are no invitation codes.'
    : list(['ID', 'LABEL', 'USES LEFT', 'EXPIRES', 'ROLE', 'CREATED BY'], codes.map(({ id, label, usesLeft, expiresAt, role, createdBy }) =>
      [id, quote(label), String(usesLeft), minuteOf(expiresAt), role ?? '', createdBy === null ? '' : quote(createdBy)]))
})

const remove = command('remove <id>', {
  says: 'Remove an invitation code. People who signed up with it stay.',
  run: async ({ id }) => await withStores(async (stores, by) => await removeSignUpCode(stores, id, by)),
  async remote (api, { id }) {
    await api.delete(path`/sign-up-codes/${id}`)
    return { id }
  },
  text: ({ id }) => `Removed the invitation code ${id}.`
})

/** The invitation codes with which people create an account. */
export const signUp = noun('sign-up', 'Manage the invitation codes with which people create an account.', [add, all, remove])
