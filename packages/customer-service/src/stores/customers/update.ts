import { columnOf, nullable, pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Actor } from '../changes/change.js'
import type { Recording } from '../changes/recording.js'
import { foldedAddress, foldedName, type Change } from './customer-record.js'

/** A statement that changes the given fields of customers; `null` is any version, or any name. Returns the ids. */
export function updateStatement (recording: Recording) {
  const after = {
    name: 'COALESCE(entry.name, customer.name)',
    age: 'COALESCE(entry.age, customer.age)',
    address: 'COALESCE(entry.address, customer.address)'
  }
  const given = nullable(pick(customer, 'name', 'nameKey', 'age', 'address', 'nameFold', 'nameWords', 'addressWords'))
  return recording.change({
    kind: "'updated'",
    where: `customer.id = entry.id AND customer.version = COALESCE(entry.version, customer.version)
      AND customer.name_key = COALESCE(entry.known_key, customer.name_key)`,
    after,
    entry: { ...pick(customer, 'id', 'updatedAt'), ...nullable(pick(customer, 'version')), knownKey: 'string?', ...given },
    sql: (entries, where) => `
      UPDATE customer SET ${Object.keys(given).map(columnOf).map(name => `${name} = COALESCE(entry.${name}, customer.${name})`).join(', ')},
        version = customer.version + 1, updated_at = entry.updated_at
      FROM ${entries} WHERE ${where} RETURNING customer.id`,
    row: pick(customer, 'id')
  })
}

/** No change of the name or the address. The same fields in the same order give all entries one hidden class. */
const SAME_NAME = { name: null, nameKey: null, nameFold: null, nameWords: null }
const SAME_ADDRESS = { address: null, addressWords: null }

/** An entry of {@link updateStatement}. */
export function updateEntry (id: number, change: Change, now: Date, actor: Actor) {
  const { name, age = null, address } = change
  const named = name === undefined ? SAME_NAME : { name, ...foldedName(name) }
  const moved = address === undefined ? SAME_ADDRESS : { address, ...foldedAddress(address) }
  return { id, version: null, knownKey: null, ...named, age, ...moved, updatedAt: now, at: now, ...actor }
}
