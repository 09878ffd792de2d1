import { command } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import { listFailedSignIns, unlockUser } from '../admin/failed-sign-ins.js'
import { endSession, listSessions } from '../admin/sessions.js'
import { summaryOf } from '../admin/user-details.js'
import { exportUser } from '../admin/user-export.js'
import { pointTo } from './explain.js'
import { minuteOf } from './print.js'
import { path, type AdminApi, type Items } from './remote/api.js'
import { findRemoteUser, onRemoteUser } from './remote/users.js'
import { readStores, withStores } from './with-stores.js'

type SessionPage = Items<Awaited<ReturnType<typeof listSessions>>['sessions'][number]> & { readonly more: boolean }
type Failures = Awaited<ReturnType<typeof listFailedSignIns>>

/** Commands for sessions, failed sign-ins and stored data of users. */
export const accessCommands = {
  sessions: command('sessions <username>', {
    says: 'List where a user is signed in, most recently seen first.',
    json: 'the sessions with all fields',
    run: async ({ username }) => await readStores(async stores => await listSessions(stores, username)),
    async remote (api, { username }) {
      const { id } = await findRemoteUser(api, username)
      const { items, more } = await api.get<SessionPage>(path`/users/${id}/sessions`)
      return { sessions: items, more }
    },
    text: ({ sessions }, { username }) => sessions.length === 0
      ? `${quote(username)} is not signed in anywhere.`
      : list(['SESSION', 'SIGNED IN', 'LAST SEEN', 'BROWSER'], sessions.map(({ id, authTime, lastSeen, userAgent }) =>
        [id, minuteOf(authTime), minuteOf(lastSeen), userAgent ?? '-'])),
    fields: ({ sessions }) => sessions,
    note: ({ sessions, more }) => more ? `There are more than these ${sessions.length}.` : undefined
  }),

  endOneSession: command('end-session <username> <session>', {
    says: 'Sign a user out on one device. Clients keep their access.',
    run: async ({ username: user, session }) => await withStores(async (stores, by) => await endSession(stores, { user, session }, by))
      .catch(pointToSessions(user)),
    remote: async (api, { username, session }) =>
      await onRemoteUser(api, username, async user => await api.delete(user + path`/sessions/${session}`)).catch(pointToSessions(username)),
    text: ({ username }) => `Signed out ${quote(username)} on that device.`
  }),

  failedSignIns: command('failed-sign-ins <username>', {
    says: 'List the addresses from which sign-in to an account has failed in the last 15 minutes. The audit trail has earlier failures.',
    json: 'the addresses and networks with all fields',
    run: async ({ username }) => await readStores(async stores => await listFailedSignIns(stores, username)),
    remote: async (api, { username }) => await listRemoteFailures(api, username),
    text: ({ sources, username }) => sources.length === 0
      ? `Sign-in of ${quote(username)} has not failed in the last 15 minutes.`
      : list(['FROM', 'FAILURES', 'STATE', 'UNTIL'], sources.map(({ source, failures, isLimited, until }) =>
        [source, `${failures}`, isLimited ? 'refused' : 'can try again', minuteOf(until)])),
    fields: ({ sources }) => sources
  }),

  unlock: command('unlock <username>', {
    says: 'Reset the failed sign-ins of a user, so that they can try again immediately.',
    run: async ({ username }) => await withStores(async (stores, by) => await unlockUser(stores, username, by)),
    async remote (api, { username }) {
      const { sources, ...user } = await listRemoteFailures(api, username)
      await api.post(path`/users/${user.id}/unlock`)
      return { ...user, wasLimited: sources.some(({ isLimited }) => isLimited) }
    },
    text: ({ username, wasLimited }) => wasLimited
      ? `${quote(username)} can try to sign in again.`
      : `There was nothing to unlock: no attempt to sign in as ${quote(username)} was refused.`
  }),

  exportData: command('export <username>', {
    says: 'Print everything stored about a user as JSON, without secrets, up to 1,000 items of each kind.',
    run: async ({ username }) => await withStores(async (stores, by) => await exportUser(stores, username, by)),
    remote: async (api, { username }) => {
      const { id } = await findRemoteUser(api, username)
      return await api.get<Awaited<ReturnType<typeof exportUser>>>(path`/users/${id}/data`)
    },
    text: data => JSON.stringify(data, null, 2),
    note: ({ isComplete }) => isComplete ? undefined : 'There are more items of some kinds.'
  })
}

function pointToSessions (username: string) {
  return pointTo('unknown session', `To see all: frontdesk-auth user sessions ${username}`)
}

async function listRemoteFailures (api: AdminApi, username: string): Promise<Failures> {
  const user = await findRemoteUser(api, username)
  return { ...summaryOf(user), sources: (await api.get<Items<Failures['sources'][number]>>(path`/users/${user.id}/failed-sign-ins`)).items }
}
