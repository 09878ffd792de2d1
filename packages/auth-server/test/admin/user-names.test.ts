import t, { type Test } from 'tap'
import type { Actor } from '../../src/admin/actor.js'
import { addUser, inviteUser } from '../../src/admin/passwords.js'
import { renameUser, updateUser } from '../../src/admin/users.js'
import { loadConfig } from '../../src/config.js'
import { openStores } from '../../src/stores/stores.js'
import { emptyDatabase } from '../support/database.js'

export const onBothDatabases = true

const BY: Actor = { kind: 'shell', name: 'operator' }
const PASSWORD = { password: 'correct horse', passwordMin: 8 }
const FOREIGN = { code: 'invalid', faults: [{ field: 'username', sentence: 'A user name with @ must be the user\'s own verified email address.' }] }

async function open (t: Test) {
  const stores = await openStores(await emptyDatabase(t))
  t.teardown(() => stores.close())
  return stores
}

t.test('a new user name with @ is the user\'s own verified address', async t => {
  const stores = await open(t)
  const config = loadConfig({})
  const rows: Array<[username: string, profile: { email?: string, emailVerified?: boolean }, isOwn: boolean]> = [
    ['ann@example.com', {}, false],
    ['ann@example.com', { email: 'ann@example.com' }, false],
    ['ann@example.com', { email: 'bob@example.com', emailVerified: true }, false],
    // What a user name is compared by has an @.
    ['ann＠example.com', { email: 'ann@example.com', emailVerified: true }, false],
    ['ANN@example.com', { email: 'ann@Example.com', emailVerified: true }, true]
  ]
  for (const [username, profile, isOwn] of rows) {
    for (const action of [
      () => inviteUser(stores, { username, ...profile }, { config, print: true }, BY),
      () => addUser(stores, { username, ...profile, ...PASSWORD }, BY)
    ]) {
      if (!isOwn) await t.rejects(action(), FOREIGN, username)
      else if (await stores.users.find(username) === null) t.match(await action(), { username })
    }
  }
  t.same(await stores.users.usernames(10), ['ANN@example.com'])
})

t.test('so is a changed one, also if the address changes at the same time', async t => {
  const stores = await open(t)
  await addUser(stores, { username: 'ann', email: 'ann@example.com', ...PASSWORD }, BY)
  await t.rejects(renameUser(stores, 'ann', 'ann@example.com', BY), FOREIGN, 'not verified')
  await updateUser(stores, 'ann', { attributes: { email: 'ann@example.com', emailVerified: true }, config: () => loadConfig({}) }, BY)
  await t.rejects(renameUser(stores, 'ann', 'bob@example.com', BY), FOREIGN)
  await t.rejects(renameUser(stores, 'nobody', 'ann@example.com', BY), { code: 'unknown' })
  const { id } = await renameUser(stores, 'ann', 'Ann@example.com', BY)
  for (let round = 0; round < 25; round++) {
    await stores.users.rename({ id }, 'ann')
    await stores.profiles.change({ id }, { email: 'ann@example.com', emailVerified: true })
    const change = () => stores.profiles.change({ id }, { email: 'other@example.com' })
    const before = round % 2 === 0 ? undefined : change()
    const [outcome] = await Promise.all([stores.users.rename({ id }, 'ann@example.com'), before ?? change()])
    t.match(outcome, /^(renamed|foreign)$/)
    t.match(await stores.profiles.findAny({ id }), { username: outcome === 'renamed' ? 'ann@example.com' : 'ann', emailVerified: false })
  }
})
