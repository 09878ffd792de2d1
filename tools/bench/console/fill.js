import { dialectOf, fillTables } from '../services/bulk.js'
import { addAccess } from './access.js'
import { addApps } from './apps.js'
import { addEvents } from './events.js'
import { addPeople, makePeople } from './people.js'

const TABLES = [
  'user_account', 'session', 'consent', 'user_role', 'access_grant', 'client', 'client_callback', 'client_secret', 'implicit_use', 'audit'
]

/**
 * Adds people, apps and events to the database of auth-server with SQL, which is fast.
 * @param {import('../context.js').Context} context
 * @param {{ users: number, clients: number, events: number }} sizes
 * @returns the people
 */
export async function fill (context, sizes) {
  const [dialect, people, now] = [dialectOf(context), makePeople(sizes.users), Date.now()]
  await fillTables(context, TABLES, [
    ...addPeople(dialect, people, now),
    ...await addApps(dialect, sizes.clients, now),
    ...addAccess(dialect, sizes, now),
    ...addEvents(dialect, sizes, now)
  ])
  return people
}
