import { family, given, often, street, town, twoCharacters } from './names.js'
import { databaseUrl, inClone } from './place.js'

/** Customers to add at once. */
const AT_ONCE = 256

/** One in this many customers has a name and an address in a script without spaces. */
const UNSPACED = 20

const age = () => 18 + Math.floor(Math.random() * 80)

const namesOf = id => id % UNSPACED === 0
  ? { name: twoCharacters() + twoCharacters(), address: `${twoCharacters()}区${twoCharacters()}町${1 + often(300)}` }
  : { name: `${given()} ${family()}`, address: `${1 + often(300)} ${street()}, ${town()}` }

/** Adds customers with realistic names and addresses, through the service's store. */
export async function fillRegister (context, customers) {
  const { openDatabase } = await import(inClone('packages/customer-service/dist/src/stores/open.js'))
  const { NO_ACTOR } = await import(inClone('packages/customer-service/dist/src/stores/changes/change.js'))
  const { loadConfig } = await import(inClone('packages/customer-service/dist/src/config.js'))
  const { stores, close } = await openDatabase(loadConfig({ DATABASE_URL: databaseUrl(context), SQLITE_SYNCHRONOUS: 'NORMAL' }))
  for (let id = 2; id <= customers; id += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, customers - id + 1) }, (_, index) => stores.customers.register({
      id: id + index, age: age(), ...namesOf(id + index)
    }, NO_ACTOR)))
  }
  await close()
}

/** Realistic searches, each a few letters or a choice; `make` returns the parameters. */
export const kinds = new Map([
  ['first page', () => ({})],
  ['by name', () => ({ sort: 'name', limit: '200' })],
  ['latest first', () => ({ sort: '-updated', total: 'true' })],
  ['given and family name', () => ({ q: `${given()} ${family()}` })],
  ['as it is typed: 1 to 4 letters', () => ({ q: given().slice(0, 1 + Math.floor(Math.random() * 4)), limit: '20' })],
  ['a family name', () => ({ q: family(), sort: 'name' })],
  ['given name, family begun', () => ({ q: `${given()} ${family().slice(0, 3)}`, sort: 'name' })],
  ['street and town', () => ({ q: `${street()} ${town()}` })],
  ['name begins', () => ({ name_prefix: given().slice(0, 3), sort: 'name' })],
  ['name begins, by age, latest first', () => ({ name_prefix: given(), age_gte: '30', age_lte: '40', sort: '-updated' })],
  ['of an age', () => ({ age_gte: String(age()), sort: 'name' })],
  ['whole name', () => ({ name: `${given()} ${family()}` })],
  ['a number or an age', () => ({ q: String(age()) })],
  ['ages', () => ({ q: `${age()}-${age() + 10}` })],
  ['two characters of a name without spaces', () => ({ q: twoCharacters() })],
  ['words and age, counted', () => ({ q: family(), age_lte: String(age()), total: 'true' })]
])
