import { command } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import { listFailedSignIns, unlockUser } from '../admin/failed-sign-ins.js'
import { endSession, listSessions } from '../admin/sessions.js'
import { exportUser } from '../admin/user-export.js'
import { minuteOf } from './print.js'
import { readStores, withStores } from './with-stores.js'

/** Commands for sessions, failed sign-ins and stored data of users. */
export const accessCommands = {
  sessions: command('sessions <username>', {
    says: 'List where a user is signed in, most recently seen first.',
    json: 'the sessions with all fields',
    run: async ({ username }) => await readStores(async stores => await listSessions(stores, username)),
    text: ({ sessions }, { username }) => sessions.length === 0
      ? `${quote(username)} is not signed in anywhere.`
      : list(['SESSION', 'SIGNED IN', 'LAST SEEN', 'BROWSER'], sessions.map(({ id, authTime, lastSeen, userAgent }) =>
        [id, minuteOf(authTime), minuteOf(lastSeen), userAgent ?? '-'])),
    fields: ({ sessions }) => sessions,
    note: ({ sessions, more }) => more ? `There are more than these ${sessions.length}.` : undefined
  }),

  endOneSession: command('end-session <username> <session>', {
    says: 'Sign a user out on one device. Access of clients stays.',
    run: async ({ username: user, session }) => await withStores(async (stores, by) => await endSession(stores, { user, session }, by)),
    text: ({ username }) => `Signed out ${quote(username)} on that device.`
  }),

  failedSignIns: command('failed-sign-ins <username>', {
    says: 'List from where sign-in to an account has failed in the last 15 minutes. The audit trail has earlier ones.',
    json: 'the addresses and networks with all fields',
    run: async ({ username }) => await readStores(async stores => await listFailedSignIns(stores, username)),
    text: ({ sources, username }) => sources.length === 0
      ? `Sign-in of ${quote(username)} has not failed in the last 15 minutes.`
      : list(['FROM', 'FAILURES', 'STATE', 'UNTIL'], sources.map(({ source, failures, isLimited, until }) =>
        [source, `${failures}`, isLimited ? 'refused' : 'can try again', minuteOf(until)])),
    fields: ({ sources }) => sources
  }),

  unlock: command('unlock <username>', {
    says: 'Forget the failed sign-ins of a user, so that they can try again at once.',
    run: async ({ username }) => await withStores(async (stores, by) => await unlockUser(stores, username, by)),
    text: ({ username, wasLimited }) => wasLimited
      ? `${quote(username)} can try to sign in again.`
      : `There was nothing to unlock: no attempt to sign in as ${quote(username)} was refused.`
  }),

  exportData: command('export <username>', {
    says: 'Print everything stored about a user as JSON, without secrets, up to 1,000 items of each kind.',
    run: async ({ username }) => await withStores(async (stores, by) => await exportUser(stores, username, by)),
    text: data => JSON.stringify(data, null, 2),
    note: ({ isComplete }) => isComplete ? undefined : 'There are more items of some kinds.'
  })
}
