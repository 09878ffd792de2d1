import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import { IS_LINK, SELECTION, type Selection } from './selection.js'

/** Maximum customers that are undone together because merges connect them. */
const MAX_LINKED = 500

/** Customers that merges connect are undone together, or none of them. */
export interface Groups {
  /** The group of each customer. */
  readonly of: ReadonlyMap<number, number>
  /** Whether there are more than can be undone together. */
  readonly isTooLarge: boolean
}

/** Makes the groups of customers that no merge connects. */
export function alone (ids: readonly number[]): Groups {
  return { of: new Map(ids.map(id => [id, id])), isTooLarge: false }
}

/** Opens the search for customers that merges to undo connect with others, directly or by way of others. */
export function openLinked (connection: Connection) {
  const find = listStatement(connection, {
    entry: { ...pick(customer, 'id'), ...SELECTION },
    sql: entries => `
      SELECT DISTINCT change.customer_id, change.successor FROM ${entries}
      JOIN customer_change AS change ON ${IS_LINK}`,
    row: { from: 'int', into: 'int' }
  })

  return function * (ids: readonly number[], selection: Selection): Steps<Groups> {
    const parents = new Map(ids.map(id => [id, id]))
    const isTooLarge = () => parents.size > ids.length + MAX_LINKED
    for (let added = ids; added.length > 0 && !isTooLarge();) {
      const links = yield * find.step(added.map(id => ({ id, ...selection })))
      added = links.flatMap(({ from, into }) => [from, into]).filter(id => !parents.has(id))
      for (const id of added) parents.set(id, id)
      for (const { from, into } of links) parents.set(rootOf(parents, from), rootOf(parents, into))
    }
    return { of: new Map([...parents.keys()].map(id => [id, rootOf(parents, id)])), isTooLarge: isTooLarge() }
  }
}

function rootOf (parents: ReadonlyMap<number, number>, id: number): number {
  const parent = parents.get(id) ?? id
  return parent === id ? id : rootOf(parents, parent)
}
