import { command } from '@frontdesk/service-kit/cli/command'
import { quote } from '@frontdesk/service-kit/showable'
import { makeFactorLink, type FactorLink } from '../admin/factor-link.js'
import { removeFactors } from '../admin/factors.js'
import { disconnectUser } from '../admin/upstream.js'
import { summaryOf, type FactorCounts } from '../admin/user-details.js'
import { loadConfig } from '../config.js'
import { pointTo } from './explain.js'
import { minuteOf } from './print.js'
import { path } from './remote/api.js'
import { findRemoteUser } from './remote/users.js'
import { pointToEnable, warnOfLink } from './user-password.js'
import { withStores } from './with-stores.js'

type Removed = Awaited<ReturnType<typeof removeFactors>>
type Disconnected = Awaited<ReturnType<typeof disconnectUser>>

const factorLink = command('factor-link <username>', {
  says: 'Print a link with which a user without a second factor can set one up, once, within 24 hours, with their password.',
  json: 'the user and the link',
  async run ({ username }) {
    const config = loadConfig()
    const made = await withStores(async (stores, by) => await makeFactorLink(stores, username, config, by))
      .catch(pointToEnable(username)).catch(pointToRemoval(username))
    return { ...made, issuer: config.issuer }
  },
  async remote (api, { username }) {
    const user = await findRemoteUser(api, username)
    const made = await api.post<FactorLink>(path`/users/${user.id}/factor-link`)
      .catch(pointToEnable(username)).catch(pointToRemoval(username))
    return { ...summaryOf(user), ...made, issuer: api.server }
  },
  text: ({ username, link, linkEndsAt }) => `With this link and their password, ${quote(username)} can set up a second factor, once, ` +
    `until ${minuteOf(linkEndsAt)}. Don't share it with anyone else:\n${link}`,
  fields: ({ issuer, ...made }) => made,
  note: warnOfLink
})

const removeAllFactors = command('remove-factors <username>', {
  says: 'Turn off two-step sign-in for a user who lost their app, passkeys and recovery codes, and email them about it.',
  run: async ({ username }) => await withStores(async (stores, by) => await removeFactors(stores, username, loadConfig(), by)),
  async remote (api, { username }) {
    const user = summaryOf(await findRemoteUser(api, username))
    return { ...user, ...await api.post<Pick<Removed, 'removed' | 'mailFailure'>>(path`/users/${user.id}/remove-factors`) }
  },
  text: ({ username, removed }) => removed.length === 0
    ? `Nothing to remove: two-step sign-in is off for ${quote(username)}.`
    : `Turned off two-step sign-in for ${quote(username)}. ` +
      'They can sign in with their password alone, unless a role or client requires a second factor.',
  fields: ({ mailFailure, ...removed }) => removed,
  note: ({ mailFailure }) => mailFailure && String(mailFailure)
})

const disconnect = command('disconnect <username>', {
  says: 'Disconnect the account of a user at the upstream provider, sign them out everywhere, and email them about it.',
  run: async ({ username }) => await withStores(async (stores, by) => await disconnectUser(stores, username, loadConfig(), by)),
  async remote (api, { username }) {
    const user = summaryOf(await findRemoteUser(api, username))
    return { ...user, ...await api.post<Pick<Disconnected, 'issuer' | 'mailFailure'>>(path`/users/${user.id}/disconnect`) }
  },
  text: ({ username, issuer }) => issuer === null
    ? `Nothing to disconnect: ${quote(username)} has no account at the upstream provider.`
    : `Disconnected the account of ${quote(username)} at ${issuer}, and signed them out everywhere. ` +
      'Clients lose access within ten seconds.',
  fields: ({ mailFailure, ...disconnected }) => disconnected,
  note: ({ mailFailure }) => mailFailure && String(mailFailure)
})

function pointToRemoval (username: string) {
  return pointTo('conflict factors', `To remove it: frontdesk-auth user remove-factors ${username}`)
}

/** Commands for what users sign in with besides the password. */
export const factorCommands = { factorLink, removeAllFactors, disconnect }

/** The factors of a user in a line of `user show`. */
export function describeFactors ({ authenticator, passkeys, recoveryCodes, trustedBrowsers }: FactorCounts): string {
  if (authenticator === null && passkeys.length === 0) return 'off'
  const counts = `passkeys: ${passkeys.length}; recovery codes: ${recoveryCodes}; trusted browsers: ${trustedBrowsers}`
  if (authenticator === null) return `on; ${counts}`
  const used = authenticator.lastUsedAt === null ? 'not used yet' : `last used ${minuteOf(authenticator.lastUsedAt)}`
  return `on since ${minuteOf(authenticator.createdAt)}, ${used}; ${counts}`
}

/** The line of `user show` about the account at the upstream provider. */
export function describeUpstream ({ upstream }: FactorCounts): string[][] {
  if (upstream === null) return []
  const used = upstream.lastUsedAt === null ? 'not used yet' : `last used ${minuteOf(upstream.lastUsedAt)}`
  return [['Upstream', `${upstream.issuer} since ${minuteOf(upstream.createdAt)}, ${used}`]]
}
