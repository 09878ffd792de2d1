import { isLoopback } from '@frontdesk/service-kit/address'
import { command } from '@frontdesk/service-kit/cli/command'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import type { SentLink } from '../admin/password-link.js'
import { detailsOf, findDetails, summaryOf, type UserDetails } from '../admin/user-details.js'
import { takenUsername } from '../admin/users.js'
import { loadConfig } from '../config.js'
import { ATTRIBUTES, attributesOf } from './attributes.js'
import { pointTo } from './explain.js'
import { readPassword } from './password.js'
import { minuteOf } from './print.js'
import { path } from './remote/api.js'
import { findRemoteUser, sendRemoteLink } from './remote/users.js'
import { makeStores, withStores } from './with-stores.js'

const ROLE = { '--role <role>': { says: 'a role of the user; repeatable', repeatable: true } } as const
const PRINT = { '--print': 'print the link, even if it could be emailed (SMTP_URL)' } as const

// Loaded on demand: it starts threads.
const load = async () => await import('../admin/passwords.js')

const add = command('add <username>', {
  says: 'Register a user. Prompts for the password, or reads it from the first line of standard input.',
  options: { ...ATTRIBUTES, ...ROLE },
  async run ({ username, role: roles, ...options }) {
    const { addUser, readNewUser } = await load()
    const user = { username, roles, ...attributesOf(options) }
    const attributes = readNewUser(user)
    return await makeStores(async (stores, by) => {
      // Before the prompt; the action decides.
      if (await stores.users.find(username) !== null) throw takenUsername(username)
      return await addUser(stores, { ...user, ...await readPassword({ ...attributes, username }) }, by)
    })
  },
  async remote (api, { username, role: roles, ...options }) {
    const user = { username, roles, ...attributesOf(options) }
    const attributes = (await load()).readNewUser(user)
    const { password } = await readPassword({ ...attributes, username })
    return detailsOf(await api.post<UserDetails>('/users', { ...user, password }))
  },
  text: (_, { username }) => `Registered ${quote(username)}.`
})

const invite = command('invite <username>', {
  says: 'Register a user without a password, and email or print a link with which they can set one, once, within 24 hours.',
  options: { ...ATTRIBUTES, ...ROLE, ...PRINT },
  json: 'the user and the link',
  async run ({ username, role: roles, print, ...options }) {
    const [{ inviteUser, readNewUser }, config] = [await load(), loadConfig()]
    const user = { username, roles, ...attributesOf(options) }
    readNewUser(user)
    const invited = await makeStores(async (stores, by) => await inviteUser(stores, user, { config, print }, by))
      .catch(pointTo('taken username', toReset(username)))
    return { ...invited, issuer: config.issuer }
  },
  remote: async (api, { username, role: roles, print, ...options }) => {
    assertNotPrinted(print)
    const { user, sent } = await sendRemoteLink(api, '/invitations', { username, roles, ...attributesOf(options) })
      .catch(pointTo('conflict username', toReset(username)))
    return { ...user, ...sent }
  },
  text: invited => `Registered ${quote(invited.username)}. ${describeLink(invited)}`,
  fields: linkFields,
  note: warnOfLink
})

const passwd = command('passwd <username>', {
  says: 'Set a new password, sign the user out everywhere, and end the access of clients. Prompts for it, or reads it from the first line of standard input.',
  run: async ({ username }) => await withStores(async (stores, by) => {
    const password = await readPassword(await findDetails(stores, username))
    return await (await load()).setPassword(stores, username, { ...password, readConfig: loadConfig }, by)
  }),
  async remote (_, { username }) {
    throw new CommandError(`Over the API, users choose their own passwords. ${toReset(username)}`)
  },
  text: ({ username }) => `Set the password of ${quote(username)} and ended every session. The access of clients ends within ten seconds.`,
  fields: ({ mailFailure, ...user }) => user,
  note: ({ mailFailure }) => mailFailure && String(mailFailure)
})

const resetLink = command('reset-link <username>', {
  says: 'Email or print a link with which the user can set a new password, once, within 24 hours. The password stays until then.',
  options: PRINT,
  json: 'the user and the link',
  async run ({ username, print }) {
    const [{ resetPassword }, config] = [await load(), loadConfig()]
    const made = await withStores(async (stores, by) => await resetPassword(stores, username, { config, print }, by))
      .catch(pointToEnable(username))
    return { ...made, issuer: config.issuer }
  },
  async remote (api, { username, print }) {
    assertNotPrinted(print)
    const { id } = await findRemoteUser(api, username)
    const { user, sent } = await sendRemoteLink(api, path`/users/${id}/reset`).catch(pointToEnable(username))
    return { ...summaryOf(user), ...sent }
  },
  text: describeLink,
  fields: linkFields,
  note: warnOfLink
})

function toReset (username: string): string {
  return `To let them choose a password: frontdesk-auth user reset-link ${username}`
}

/** Explains that a user is disabled. */
export function pointToEnable (username: string) {
  return pointTo('conflict username', `To enable: frontdesk-auth user enable ${username}`)
}

/** The commands that set a password, or let a user set one. */
export const passwordCommands = { add, invite, passwd, resetLink }

type Linked = SentLink & { readonly username: string, readonly issuer: string }

/** @throws CommandError */
function assertNotPrinted (print: true | undefined): void {
  if (print) throw new CommandError('--print needs the database. Over the API, the server emails every link that it can.')
}

function linkFields<T extends Linked> ({ passwordLink, mailFailure, issuer, ...user }: T) {
  return { ...user, ...passwordLink }
}

/** Describes a link, and what to do with it. */
function describeLink ({ username, passwordLink }: Linked): string {
  const until = minuteOf(passwordLink.linkEndsAt)
  if ('mailedTo' in passwordLink) {
    return `Emailed ${quote(passwordLink.mailedTo)} a link with which ${quote(username)} can set a password, once, until ${until}.`
  }
  if (passwordLink.link === undefined) return 'The link was not sent. An administrator can create another one and pass it on.'
  return `With this link, ${quote(username)} can set a password, once, until ${until}. Don't share it with anyone else:\n${passwordLink.link}`
}

/** What is wrong with a link, in sentences. */
export function warnOfLink ({ issuer, mailFailure }: Pick<Linked, 'issuer' | 'mailFailure'>): string | undefined {
  // On another computer, the link would lead to that computer itself.
  const loopback = isLoopback(new URL(issuer).hostname)
    ? [`Warning: the link works only on this computer, because ISSUER is ${issuer}. For others, set ISSUER to the public address of auth-server.`]
    : []
  return [...loopback, ...mailFailure === undefined ? [] : [mailFailure]].join('\n') || undefined
}
