import t, { type Test } from 'tap'
import { SESSION_TTL } from '../../src/lifetimes.js'
import { MAX_USER_SESSIONS } from '../../src/stores/sessions/sessions.js'
import { client } from '../support/helper.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const NOW = Date.now()

/** Two people, two replicas, and what signs ann in. */
async function begin (t: Test) {
  const { stores, other, direct } = await twoReplicas(t)
  await stores.clients.add(client())
  for (const id of ['ann', 'bob']) await stores.users.add({ id, username: id, passwordHash: 'x', demo: false })
  const signIn = async (idHash: string, seconds: number, { id = 'ann', replica = stores } = {}) => {
    const authTime = new Date(NOW + seconds * 1_000)
    const expiresAt = new Date(authTime.getTime() + SESSION_TTL * 1_000)
    return await replica.sessions.add({ idHash, user: { id, passwordHash: 'x', epoch: 0 }, authTime, amr: 'pwd', expiresAt })
  }
  const held = async (id = 'ann') => (await direct.query(`SELECT id_hash FROM session WHERE user_id = '${id}'`)).map(it => `${it.id_hash}`)
  return { stores, other, direct, signIn, held }
}

t.test('a sign-in beyond 100 sessions of a person ends the least recently seen one, and its sessions at apps', async t => {
  const { stores, direct, signIn, held } = await begin(t)
  await signIn('bob', 0, { id: 'bob' })
  for (let i = 0; i < MAX_USER_SESSIONS; i++) t.ok(await signIn(`s${i}`, i))
  await stores.sessions.see('s0', new Date(NOW + 500_000), new Date(NOW + 400_000))
  for (const id of ['s1', 's2']) {
    await stores.clientSessions.begin({ id, sid: id }, { clientId: 'app', epoch: 0, endsAt: new Date(NOW + 900_000) })
  }
  t.ok(await signIn('new', 600))
  const left = await held()
  t.equal(left.length, MAX_USER_SESSIONS)
  t.same(['s0', 's1', 'new', 's2'].map(id => left.includes(id)), [true, false, true, true])
  t.same(await direct.query('SELECT sid FROM client_session WHERE due_at IS NOT NULL'), [{ sid: 's1' }])
  t.same(await held('bob'), ['bob'])
  t.equal(await stores.sessions.add({
    idHash: 'refused', user: { id: 'ann', passwordHash: 'y', epoch: 0 }, authTime: new Date(NOW), amr: 'pwd', expiresAt: new Date(NOW)
  }), false)
  t.equal((await held()).length, MAX_USER_SESSIONS)
})

t.test('50 sign-ins at once on two replicas leave 100 sessions, these among them, and none past every lifetime', async t => {
  const { stores, other, direct, signIn, held } = await begin(t)
  for (let i = 0; i < MAX_USER_SESSIONS - 20; i++) await signIn(`old${i}`, i)
  for (let round = 1; round <= 5; round++) {
    const added = await Promise.all(Array.from({ length: 50 }, (_, i) =>
      signIn(`${round}-${i}`, round * 1_000, { replica: i % 2 === 0 ? stores : other })))
    t.notOk(added.includes(false))
    const left = await held()
    t.equal(left.length, MAX_USER_SESSIONS, `round ${round}`)
    t.equal(left.filter(id => id.startsWith(`${round}-`)).length, 50)
  }
  await stores.removeExpired('session', new Date(NOW + 2 * SESSION_TTL * 1_000))
  t.same(await direct.query('SELECT id_hash FROM session'), [])
})
