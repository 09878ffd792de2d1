import t from 'tap'
import { openSealed } from '../support/stores/sealed.js'

export const onBothDatabases = true

t.test('a thief cannot make the server forget: it removes no seal that was changed, and none after a missing one', async t => {
  const { thief, fill, seal, faults, verify } = await openSealed(t)
  await fill()
  await thief.query('DELETE FROM audit WHERE position <= 10')
  await thief.query('UPDATE audit_seal SET removed = 10, removed_sum = sum WHERE number = 1')
  await seal()
  t.same(await faults(), ['Seal 1 fails: it was changed, or made with another key.'])
  await thief.query('DELETE FROM audit_seal WHERE number = 1')
  await seal()
  t.same((await verify()).map(({ seal, fault }) => [seal, fault]), [[1, 'Seal 1 is missing.'], [2, null], [3, null]])
})

t.test('a thief cannot make the server forget: a seal whose rows were changed stays when the server has removed them', async t => {
  const { stores, thief, key, fill, add, seal, faults, verify } = await openSealed(t)
  await fill()
  await thief.query("UPDATE audit SET id = '00000000-0000-7000-8000-0000000000' || position WHERE position BETWEEN 11 AND 12")
  await stores.audit.sweep(new Date(0), 500, key)
  await stores.audit.trim({ maxRows: 0, key }, 500)
  await add(10).then(seal)
  t.same(await faults(), ['Seal 2 fails: rows were changed.'])
  await add(10).then(seal)
  t.same(await faults(), ['Seal 2 fails: rows were changed.'])

  await thief.query('DELETE FROM audit_seal')
  await seal()
  t.same(await faults(), [], 'an operator begins again')
  t.match(await verify(), [{ seal: 1, rows: 20 }])
})

t.test('a thief cannot stop the seals: rows with positions of sealed ones are found, and the next rows are sealed', async t => {
  const { thief, fill, add, seal, verify, faults } = await openSealed(t)
  await fill()
  await thief.query('UPDATE audit_count SET last = 3')
  await add(5).then(seal)
  await add(10).then(seal)
  t.match((await verify()).at(-1), { seal: 4, rows: 10, fault: null })
  t.same(await faults(), ['Seal 1 fails: rows were added.'])
})
