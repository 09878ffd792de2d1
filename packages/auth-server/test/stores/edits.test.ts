import t, { type Test } from 'tap'
import { openStores, type Stores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

const numbers = Array.from({ length: 24 }, (_, number) => number)

/** Two operators at once, each with a connection of their own. */
async function twoOperators (t: Test): Promise<[Stores, Stores]> {
  const url = await temporaryDatabase(t)
  // One after the other: SQLite's lock holds up the thread that another would need to let it go.
  const [one, other] = [await openStores(url, longTimeouts), await openStores(url, longTimeouts)]
  t.teardown(async () => { await one.close(); await other.close() })
  return [one, other]
}

t.test('operators who change values of one list at once lose none of them', async t => {
  const operators = await twoOperators(t)
  const [{ clients }] = operators
  const [first, second] = ['https://app.example/first', 'https://app.example/second']
  const uri = (number: number) => `https://app.example/${number}`
  await clients.put(client({ id: 'app', callbacks: [first, second], grantTypes: ['authorization_code'], implicit: 'allowed' }))
  await Promise.all(numbers.map(number => operators[number % 2]!.clients.change('app', ({ callbacks }) =>
    ({ callbacks: [...callbacks.filter(it => it !== (number === 5 ? first : number === 6 ? second : '')), uri(number)] }))))
  t.same((await clients.find('app'))?.callbacks, numbers.map(uri).sort())
  t.equal(await clients.change('ghost', () => ({})), false)
  await t.rejects(clients.change('app', () => { throw new Error('no') }), { message: 'no' })
})

t.test('a change that depends on the app sees the one before it', async t => {
  const operators = await twoOperators(t)
  const [{ clients }] = operators
  const grants = ['authorization_code', 'client_credentials']
  await clients.put(client({ id: 'app', grantTypes: grants, implicit: 'off' }))
  // Each keeps one grant: together, they would leave none.
  await Promise.allSettled(grants.map((grant, index) => operators[index]!.clients.change('app', ({ grantTypes }) => {
    if (grantTypes.length === 1) throw new Error('the last grant')
    return { grantTypes: grantTypes.filter(it => it !== grant) }
  })))
  t.equal((await clients.find('app'))?.grantTypes.length, 1)
})

t.test('roles of a person, and scopes of a role, that are changed at once are all there', async t => {
  const operators = await twoOperators(t)
  const [{ roles, users }] = operators
  await users.add({ id: 'ann', username: 'ann', passwordHash: '', demo: false })
  for (const number of numbers) await roles.add(`role-${number}`, ['read'])
  await roles.assign('ann', ['role-0', 'role-1'])
  const change = (number: number) => number < 2 ? { add: [], remove: [`role-${number}`] } : { add: [`role-${number}`], remove: [] }
  t.ok((await Promise.all(numbers.map(number => operators[number % 2]!.roles.assign('ann', change(number))))).every(Boolean))
  t.same(await roles.of('ann'), numbers.slice(2).map(number => `role-${number}`).sort())
  t.equal(await roles.assign('ann', { add: ['ghost'], remove: ['role-2'] }), false)
  t.ok((await roles.of('ann')).includes('role-2'), 'nothing is changed')
  await Promise.all(numbers.map(number => operators[number % 2]!.roles.change('role-0', before => [...before, `scope-${number}`])))
  t.same((await roles.list()).find(({ name }) => name === 'role-0')?.scopes, ['read', ...numbers.map(number => `scope-${number}`)].sort())
  t.equal(await roles.change('ghost', before => before), null)
})
