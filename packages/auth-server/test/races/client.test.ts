import t from 'tap'
import { codeClient } from '../support/code-flow.js'
import { race, type Ending } from '../support/races/race.js'

const endsSessions = false
const enable: Ending['goOn'] = (stores, { clientId }) => stores.clients.setDisabled(clientId, null)
const registerAgain: Ending['goOn'] = (stores, { clientId }) => stores.clients.add(codeClient({ id: clientId }))

/** What ends all access of a client, or that of a person at a client. */
const ENDINGS: Ending[] = [
  { name: 'access is removed', end: (stores, { userId, clientId }) => stores.authorizedApps.remove(userId, clientId), endsSessions },
  { name: 'the client is revoked', end: (stores, { clientId }) => stores.clients.revoke(clientId), endsSessions },
  {
    name: 'the client is disabled',
    end: (stores, { clientId }) => stores.clients.setDisabled(clientId, new Date()),
    goOn: enable,
    endsSessions
  },
  { name: 'the client is removed', end: (stores, { clientId }) => stores.clients.remove(clientId), goOn: registerAgain, endsSessions },
  {
    name: 'apply disables the client',
    end: (stores, { clientId: id }) => stores.clients.apply({ put: [{ ...codeClient({ id }), disabledAt: new Date() }], removed: [] }),
    goOn: enable,
    endsSessions
  },
  {
    name: 'apply removes the client',
    end: (stores, { clientId }) => stores.clients.apply({ put: [], removed: [clientId] }),
    goOn: registerAgain,
    endsSessions
  }
]

for (const ending of ENDINGS) {
  t.test(`nothing in flight survives when ${ending.name}, also after a clean-up`, async t => await race(t, ending))
}
