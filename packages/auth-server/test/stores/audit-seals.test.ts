import { randomBytes } from 'node:crypto'
import t from 'tap'
import { verifySeals } from '../../src/admin/audit-verify.js'
import { openDataKey } from '../../src/keys/data-key.js'
import { NewestSeal, sealRows } from '../../src/plugins/audit-seal.js'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { createSeal } from '../../src/stores/operation/audit-mac.js'
import { EVENT, openSealed, secrets } from '../support/stores/sealed.js'

export const onBothDatabases = true

const DAY_MS = 86_400_000

t.test('a change stays found after the server removes rows of the same seal, and all of them', async t => {
  const { stores, thief, key, fill, add, seal, faults } = await openSealed(t)
  await fill()
  await thief.query("UPDATE audit SET outcome = 'done' WHERE position = 12")
  await thief.query('UPDATE audit_seal SET removed = 1, removed_sum = sum WHERE number = 3')
  await stores.audit.trim({ maxRows: 15, key }, 500)
  t.same(await faults(), ['Seal 2 fails: rows were changed.', 'Seal 3 fails: it was changed, or made with another key.'])
  await add(10).then(seal)
  await stores.audit.trim({ maxRows: 1, key }, 500)
  t.same(await faults(), ['Seal 2 fails: rows were changed.', 'Seal 3 fails: it was changed, or made with another key.'])
})

t.test('rows that the server removes are noted in their seals: the oldest of strangers first, those of operators never', async t => {
  const { stores, key, rows, seal, verify, faults } = await openSealed(t)
  for (let i = 0; i < 3; i++) {
    await stores.audit.add([...rows(4, { isUnproven: true }), ...rows(4), ...rows(2, { isOperators: true })])
    await seal()
  }
  await stores.audit.add(rows(7), { maxRows: 30, key })
  await seal()
  t.same((await verify()).map(({ rows, removed }) => [rows, removed]), [[10, 4], [10, 3], [10, 0], [7, 0]])
  await stores.audit.trim({ maxRows: 0, key }, 500)
  t.same((await verify()).map(({ rows, removed }) => [rows, removed]), [[10, 8], [10, 8], [10, 8], [7, 7]])
  t.same(await faults(), [])
})

t.test('after their lifetime, rows go, then their seals; the rest of the trail stays valid, and the last seal stays', async t => {
  const { stores, key, thief, add, seal, verify, faults, start } = await openSealed(t)
  const old = new Date(start.getTime() - 100 * DAY_MS)
  for (const at of [old, old, start]) await add(10, {}, at).then(seal)
  await cleanUp(stores, start, { auditRetention: 90 * DAY_MS, trimming: { maxRows: Infinity, key } })
  t.same(await faults(), [])
  await seal()
  t.same((await verify()).map(({ seal, fault }) => [seal, fault]), [[3, null]])
  await cleanUp(stores, new Date(start.getTime() + 1_000 * DAY_MS), { auditRetention: 90 * DAY_MS, trimming: { maxRows: Infinity, key } })
  await seal()
  t.same((await verify()).map(({ seal, rows, removed, fault }) => [seal, rows, removed, fault]), [[3, 10, 10, null]])
  await add(5).then(seal)
  t.same((await verify()).map(({ seal, fault }) => [seal, fault]), [[4, null]])
  await thief.query(`INSERT INTO audit (id, ${EVENT}, position) SELECT 'new', ${EVENT}, 7 FROM audit WHERE position = 31`)
  t.same(await faults(), ['Seal 4 fails: rows were added before it.'])
})

t.test('a page of the verification that begins while the server removes seals has no fault', async t => {
  const { stores, key, fill, add, seal } = await openSealed(t)
  await fill()
  await add(10).then(seal)
  const { auditSeals } = stores
  const list: typeof auditSeals.list = async (...given) => {
    const seals = await auditSeals.list(...given)
    await stores.audit.trim({ maxRows: 5, key }, 500)
    await seal()
    return seals
  }
  const { items } = await verifySeals({ auditSeals: { ...auditSeals, list } }, secrets, { after: 2, limit: 9 })
  t.same(items.flatMap(({ fault }) => fault ?? []), [])
})

t.test('rows that are written late, with earlier ids, are sealed like others', async t => {
  const { rows, stores, add, seal, verify, faults, start } = await openSealed(t)
  const late = rows(3, {}, new Date(start.getTime() - DAY_MS))
  await add(10).then(seal)
  await stores.audit.add(late)
  await stores.audit.add(late)
  await seal()
  t.same((await verify()).map(({ rows }) => rows), [10, 3])
  t.same(await faults(), [])
})

t.test('seals are bounded: what one does not hold follows in the next ones', async t => {
  const { add, seal, verify, faults } = await openSealed(t)
  await add(1_201)
  await seal()
  t.same((await verify()).map(({ rows }) => rows), [500, 500, 201])
  t.same(await faults(2), [])
})

t.test('two replicas that add, seal, trim and sweep at once: each row is sealed once, and every seal is valid', async t => {
  const { all, stores, key, rows, thief, faults, verify, start } = await openSealed(t, 2)
  const old = new Date(start.getTime() - 100 * DAY_MS)
  let written = 0
  for (let round = 0; round < 20; round++) {
    const added = all.map(({ audit }, i) => {
      const some = [...rows(17, { isUnproven: i === 0 }), ...rows(2, { isOperators: true }), ...rows(3, {}, old)]
      written += some.length
      return audit.add(some, { maxRows: 400, key })
    })
    const sealed = all.flatMap(stores => [sealRows(stores, key), sealRows(stores, key)])
    const removed = all.map(({ audit }) => audit.sweep(new Date(start.getTime() - 90 * DAY_MS), 5, key))
    await Promise.all([...added, ...sealed, ...removed, faults().then(found => t.same(found, [], 'while they change'))])
  }
  await sealRows(stores, key)
  t.same(await faults(), [])
  const [counted] = await thief.query('SELECT SUM(rows) AS sealed, SUM(removed) AS removed FROM audit_seal')
  const sealed = (await verify()).reduce((sum, { rows }) => sum + rows, 0)
  t.equal(Number(counted!.sealed), sealed)
  const [left] = await thief.query(`SELECT COUNT(*) AS rows, COUNT(DISTINCT position) AS positions, (SELECT last FROM audit_count) AS last,
    (SELECT MAX(last) FROM audit_seal) AS sealed FROM audit`)
  t.same([Number(left!.last), Number(left!.sealed), Number(left!.positions)], [written, written, Number(left!.rows)], 'each row has a position')
  const [unsealed] = await thief.query('SELECT COUNT(*) AS rows FROM audit WHERE position > (SELECT MAX(last) FROM audit_seal)')
  t.equal(Number(unsealed!.rows), 0)
})

t.test('the key outlives SECRET_KEY, if it is rotated, and only one is made', async t => {
  const { all: [one, other], fill } = await openSealed(t, 2)
  await fill()
  const secretKey = randomBytes(32).toString('base64url')
  const rotated = { secretKey, previousSecretKey: secrets.secretKey }
  const keys = await Promise.all([one!, other!].map(({ auditSeals }) => openDataKey(auditSeals.key, rotated, 'audit seals')))
  t.same(keys[0], keys[1])
  t.same((await verifySeals(one!, { secretKey }, { after: 0, limit: 9 })).items.map(({ fault }) => fault), [null, null, null])
  await t.rejects(verifySeals(one!, secrets, { after: 0, limit: 9 }), /SECRET_KEY is not the one/)
  await t.rejects(openDataKey(one!.auditSeals.key, secrets, 'audit seals'), /SECRET_KEY is not the one/)
})

t.test('seals that a thief makes are not valid, also when the key is removed', async t => {
  const { stores, thief, fill, faults } = await openSealed(t)
  await fill()
  await thief.query('DELETE FROM audit_key')
  const forged = { ...(await stores.auditSeals.find(1))!, rows: 0, sum: '0' }
  await thief.query('DELETE FROM audit')
  for (const key of [new Uint8Array(), new Uint8Array(32)]) {
    const { sum, mac, state } = createSeal(key, forged)
    await thief.query(`UPDATE audit_seal SET rows = 0, sum = '${sum}', mac = '${mac}', state = '${state}' WHERE number = 1`)
    t.match(await faults(), ['Seal 1 fails: it was changed, or made with another key.'])
  }
})

t.test('a server that runs notices that the newest seals are gone or others, but not that of old ones', async t => {
  const { stores, key, thief, add, seal, fill } = await openSealed(t)
  const newest = new NewestSeal(stores.auditSeals)
  const findLoss = () => newest.findLoss()
  t.equal(await findLoss(), null)
  await fill()
  t.equal(await findLoss(), null)
  await stores.audit.trim({ maxRows: 0, key }, 500)
  await add(10).then(seal)
  t.equal(await stores.auditSeals.find(3), null)
  t.equal(await findLoss(), null, 'the server has removed it with its rows')
  await add(10).then(seal)
  t.equal(await findLoss(), null)
  await thief.query('DELETE FROM audit_seal WHERE number = 5')
  t.equal(await findLoss(), 5)
  t.equal(await findLoss(), null, 'once')
  await add(10).then(seal)
  t.equal(await findLoss(), null)
  await thief.query('DELETE FROM audit_seal WHERE number = 5')
  await thief.query("UPDATE audit SET outcome = 'done' WHERE position > 45")
  await seal()
  t.equal(await findLoss(), 5, 'another one is in its place')
})
