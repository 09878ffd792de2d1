import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { Actor } from '../../src/admin/actor.js'
import { inviteUser, resetPassword } from '../../src/admin/passwords.js'
import { exportUser } from '../../src/admin/user-export.js'
import { removeUser, setUserDisabled, updateUser } from '../../src/admin/users.js'
import { loadConfig } from '../../src/config.js'
import { LastAdministratorError } from '../../src/stores/access/administrators.js'
import type { Stores } from '../../src/stores/stores.js'
import { onPostgresql } from '../support/database.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const ROUNDS = 25
const by = (userId: string, roles: readonly string[] = []): Actor => ({ kind: 'user', userId, roles, source: '192.0.2.1' })
const LAST = { message: 'No administrator could sign in after this change.' }
const SHELL: Actor = { kind: 'shell', name: 'root' }

async function add ({ users }: Stores, username: string, roles = ['administrator'], isInvited = false): Promise<string> {
  const id = randomUUID()
  await users.add({ id, username, passwordHash: '$argon2id$', demo: false, isInvited }, roles)
  return id
}

/** What takes away an administrator. */
const ENDINGS: Array<(stores: Stores, id: string, actor: Actor) => Promise<unknown>> = [
  (stores, id, actor) => setUserDisabled(stores, { id }, true, actor),
  (stores, id, actor) => removeUser(stores, { id }, actor),
  (stores, id, actor) => updateUser(stores, { id }, { attributes: {}, config: loadConfig, roles: [] }, actor),
  (stores, id, actor) => updateUser(stores, { id }, { attributes: {}, config: loadConfig, roles: { add: [], remove: ['administrator'] } }, actor)
]

t.test('administrators who take each other away at once leave one who can sign in, in every combination', async t => {
  const { stores, other } = await twoReplicas(t)
  // Has the rights, but cannot sign in yet.
  const boss = await add(stores, 'boss', ['administrator'], true)
  let refused = 0
  for (let round = 0; round < ROUNDS; round++) {
    const ids = await Promise.all([0, 1, 2].map(async i => await add(stores, `admin-${round}-${i}`)))
    const outcomes = await Promise.allSettled(ids.map(async (id, i) =>
      await ENDINGS[(round + i * (1 + round % 3)) % ENDINGS.length]!(i % 2 === 0 ? stores : other, id, by(boss, ['administrator']))))
    const rejected = outcomes.flatMap(outcome => outcome.status === 'rejected' ? [outcome.reason] : [])
    t.same(rejected.map(error => error instanceof LastAdministratorError), [true], `round ${round}: ${rejected.join(', ')}`)
    refused += rejected.length
    // The shell may: it can make another one.
    for (const id of ids) await removeUser(stores, { id }, SHELL).catch(() => {})
  }
  t.equal(refused, ROUNDS)
})

t.test('an invited or a disabled administrator does not count; without any administrator, changes of others go on', async t => {
  const { stores } = await twoReplicas(t)
  const ann = await add(stores, 'ann', [])
  const boss = by(await add(stores, 'boss', ['administrator'], true), ['administrator'])
  await setUserDisabled(stores, { id: ann }, true, boss)
  const root = await add(stores, 'root')
  const config = loadConfig({ ISSUER: 'https://id.example' })
  const { id: invited } = await inviteUser(stores, { username: 'new', roles: ['administrator'] }, { config }, by(root, ['administrator']))
  await t.rejects(setUserDisabled(stores, { id: root }, true, boss), LAST)
  t.equal((await stores.users.find({ id: root }))?.disabledAt, null, 'nothing was changed')
  await stores.users.setPassword({ id: invited }, '$argon2id$')
  await t.resolves(setUserDisabled(stores, { id: root }, true, boss))
  await t.rejects(removeUser(stores, { id: invited }, boss), LAST)
  await t.resolves(setUserDisabled(stores, { id: root }, false, boss))
  await t.resolves(removeUser(stores, { id: invited }, boss))
  await t.resolves(setUserDisabled(stores, { id: root }, true, SHELL), 'the shell may')
})

t.test('no one adds, changes or removes a built-in role or gives its scopes to another', async t => {
  const { stores } = await twoReplicas(t)
  const { addRole, changeRole, removeRole } = await import('../../src/admin/roles.js')
  for (const name of ['administrator', 'auditor', 'support', 'Administrator']) {
    await t.rejects(addRole(stores, { name, scopes: 'a' }, SHELL), { code: 'invalid' })
    await t.rejects(changeRole(stores, name, { scopes: 'a' }, SHELL), { code: 'invalid' })
    await t.rejects(removeRole(stores, name, SHELL), { code: 'invalid' })
  }
  await t.rejects(addRole(stores, { name: 'clerk', scopes: 'admin:write' }, SHELL), { code: 'invalid' })
  const id = await add(stores, 'ann', [])
  // However a row came to be.
  await stores.roles.add('clerk', ['admin:read', 'admin:write'])
  await stores.roles.assign(id, ['clerk'])
  t.match((await stores.users.find('ann'))?.withheld, 'admin:read admin:write')
})

t.test('what an administrator does while the right to is taken away does not give it back: 16 lanes', async t => {
  const { stores, other } = await twoReplicas(t)
  const root = await add(stores, 'root')
  const lost = { message: 'Your rights were changed in the meantime.' }
  let isLate = false
  for (let round = 0; round < ROUNDS; round++) {
    const evil = await add(stores, `evil-${round}`)
    const lanes = Array.from({ length: 16 }, async (_, lane) => {
      const replica = lane % 2 === 0 ? stores : other
      // As a request does: the rights are read, and then used.
      for (let change = 0; change < 4; change++) {
        const [user, roles] = [await replica.users.find({ id: evil }), await replica.roles.of(evil)]
        if (user?.disabledAt !== null || roles.length === 0) return
        const actor = by(evil, roles)
        await (lane % 4 < 2
          ? updateUser(replica, { id: evil }, { attributes: {}, config: loadConfig, roles: ['administrator'] }, actor)
          : setUserDisabled(replica, { id: evil }, false, actor)
        ).catch(error => { t.match(error, lost); isLate = true })
      }
    })
    const end = ENDINGS[[0, 2, 3][round % 3]!]!
    await setTimeout(round % 5)
    await end(stores, evil, round % 2 === 0 ? by(root, ['administrator']) : SHELL)
    await Promise.all(lanes)
    const { disabledAt } = (await stores.users.find({ id: evil }))!
    t.ok(disabledAt !== null || (await stores.roles.of(evil)).length === 0, `round ${round}`)
  }
  t.ok(isLate || !onPostgresql, 'some were under way')
  const [auditor, plain] = [await add(stores, 'eve', ['auditor']), await add(stores, 'ann', [])]
  await t.rejects(updateUser(stores, { id: root }, { attributes: {}, config: loadConfig, roles: [] }, by(auditor, ['administrator'])), lost)
  const config = loadConfig({ ISSUER: 'https://id.example' })
  await t.rejects(resetPassword(stores, { id: root }, { config }, by(auditor, ['administrator'])), lost, 'no link is shown')
  await t.rejects(exportUser(stores, { id: root }, by(auditor, ['support'])), lost, 'and no data')
  await t.rejects(updateUser(stores, { id: plain }, { attributes: {}, config: loadConfig, roles: [] }, { kind: 'client', clientId: 'robot', source: '192.0.2.1' }), lost)
})
