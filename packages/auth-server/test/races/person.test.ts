import t from 'tap'
import { race, type Ending } from '../support/races/race.js'

const endsSessions = true

/** What ends all access of a person. */
const ENDINGS: Ending[] = [
  { name: 'the person changes the password', end: (stores, { user }) => stores.users.changePassword(user, 'new'), endsSessions },
  { name: 'an administrator sets the password', end: (stores, { userId }) => stores.users.setPassword(userId, 'new'), endsSessions },
  { name: 'the person signs out everywhere', end: (stores, { userId }) => stores.users.endAccess(userId), endsSessions },
  {
    name: 'the person is disabled',
    end: (stores, { userId }) => stores.users.setDisabled(userId, new Date()),
    goOn: (stores, { userId }) => stores.users.setDisabled(userId, null),
    endsSessions
  },
  {
    name: 'the person gets a built-in role',
    end: (stores, { userId }) => stores.roles.assign(userId, ['auditor']),
    endsSessions
  },
  {
    name: 'the person denies a change that an email announced',
    end: (stores, { userId }) => stores.takeovers.stop({
      userId, idHash: userId, keptUntil: new Date(Date.now() + 3_600_000), mailedTo: 'ann@example.com'
    }, 'no password'),
    endsSessions
  },
  { name: 'the person is removed', end: (stores, { userId }) => stores.users.remove(userId), endsSessions }
]

for (const ending of ENDINGS) {
  t.test(`nothing in flight survives when ${ending.name}, also after a clean-up`, async t => await race(t, ending))
}
