import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Actor } from '../../src/admin/actor.js'
import { removeClient, setClientDisabled } from '../../src/admin/clients.js'
import { addSignUpCode } from '../../src/admin/sign-up-codes.js'
import { removeUser, setUserDisabled, updateUser } from '../../src/admin/users.js'
import { loadConfig } from '../../src/config.js'
import { hashSignUpCode } from '../../src/sign-in/sign-up-code.js'
import type { Stores } from '../../src/stores/stores.js'
import { codeClient } from '../support/code-flow.js'
import { LANES } from '../support/races/in-flight.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const SHELL: Actor = { kind: 'shell', name: 'root' }
const NEW = { label: 'Partners', uses: 100, days: 1 }

type Change = (stores: Stores, id: string) => Promise<unknown>

/** A way in which a creator loses the right to create codes, and gets it back; `undefined`: it does not. */
type Loss = [name: string, lose: Change, regain?: Change]

const setRoles = async (stores: Stores, id: string, roles: readonly string[]) =>
  await updateUser(stores, { id }, { attributes: {}, roles, config: loadConfig }, SHELL)

const OF_USERS: Loss[] = [
  ['disabled', (stores, id) => setUserDisabled(stores, { id }, true, SHELL), (stores, id) => setUserDisabled(stores, { id }, false, SHELL)],
  ['without the role', (stores, id) => setRoles(stores, id, ['support']), (stores, id) => setRoles(stores, id, ['administrator'])],
  ['erased', (stores, id) => removeUser(stores, { id }, SHELL)]
]

const OF_CLIENTS: Loss[] = [
  ['disabled', (stores, id) => setClientDisabled(stores, id, true, SHELL), (stores, id) => setClientDisabled(stores, id, false, SHELL)],
  ['without the scope', (stores, id) => setScope(stores, id, 'admin:read'), (stores, id) => setScope(stores, id, 'admin:read admin:write')],
  ['removed', (stores, id) => removeClient(stores, id, SHELL)]
]

async function setScope (stores: Stores, id: string, allowedScope: string) {
  await stores.clients.put(robot(id, allowedScope))
}

function robot (id: string, allowedScope = 'admin:read admin:write') {
  return codeClient({ id, grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_post', callbacks: [], allowedScope })
}

async function addUser (stores: Stores): Promise<Actor> {
  const userId = randomUUID()
  await stores.users.add({ id: userId, username: `admin-${userId}`, passwordHash: 'x', demo: false }, ['administrator'])
  return { kind: 'user', userId, roles: ['administrator'], source: '192.0.2.1' }
}

async function addRobot (stores: Stores): Promise<Actor> {
  const clientId = randomUUID()
  await stores.clients.put(robot(clientId))
  return { kind: 'client', clientId, source: '192.0.2.1' }
}

const signUp = async ({ signUps, clock }: Stores, codeHash: string) => {
  const id = randomUUID()
  const keptUntil = new Date(clock.now().getTime() + 60_000)
  return await signUps.add({ id, username: id, passwordHash: 'x', email: `${id}@example.com` }, { idHash: id, keptUntil, codeHash, needsCode: true })
}

for (const [kind, add, losses] of [['user', addUser, OF_USERS], ['client', addRobot, OF_CLIENTS]] as const) {
  for (const [name, lose, regain] of losses) {
    t.test(`the code of a ${kind} who is ${name} admits no one, also while people are signing up`, async t => {
      const { stores, other } = await twoReplicas(t)
      const by = await add(stores)
      const id = by.kind === 'user' ? by.userId : by.kind === 'client' ? by.clientId : ''
      const hash = hashSignUpCode((await addSignUpCode(stores, NEW, by)).code)
      t.match(await stores.signUpCodes.list(), [{ usesLeft: NEW.uses, createdBy: kind === 'user' ? `admin-${id}` : id }])
      let isLost = false
      const late: unknown[] = []
      const lanes = Array.from({ length: LANES }, async (_, lane) => {
        let used = 0
        for (let time = 0; time < 5; time++) {
          const isLate = isLost
          const outcome = await signUp(lane % 2 === 0 ? stores : other, hash)
          if (typeof outcome === 'object') used++
          if (isLate) late.push(outcome)
        }
        return used
      })
      const ended = (async () => {
        await signUp(stores, hash)
        await lose(stores, id)
        isLost = true
      })()
      const used = (await Promise.all(lanes)).reduce((sum, it) => sum + it, 1)
      await ended
      late.push(await signUp(stores, hash))
      t.same(late.filter(it => it !== 'used code'), [])
      t.equal(await stores.signUpCodes.isLive(hash), false)
      const listed = await stores.signUpCodes.list()
      t.same(listed.map(({ usesLeft }) => usesLeft), regain === undefined ? [] : [0])
      await regain?.(stores, id)
      t.same((await stores.signUpCodes.list()).map(({ usesLeft }) => usesLeft), regain === undefined ? [] : [NEW.uses - used])
    })
  }
}

t.test('the code of a shell has no creator', async t => {
  const { stores } = await twoReplicas(t)
  await addSignUpCode(stores, NEW, SHELL)
  t.match(await stores.signUpCodes.list(), [{ usesLeft: NEW.uses, createdBy: null }])
})
