import { Customer } from '@frontdesk/schemas/customer'
import { CustomerPage } from '@frontdesk/schemas/customer-page'
import { RemovedPage } from '@frontdesk/schemas/removed-page'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { Type, type Static } from '@sinclair/typebox'
import type { IncomingMessage } from 'node:http'
import { DuplicatesPage } from '../../customer/duplicates-page.js'
import { callService, jsonOf } from './call-json.js'

/** Maximum items of a page. */
const PAGE_LIMIT = 200

const LastChange = Type.Object({ items: Type.Array(Type.Object({ kind: Type.String(), version: Type.Integer() })) })

interface Query { readonly q?: string | undefined, readonly limit: number }

/** Reads the first customers of a list or a search. @throws CommandError */
export async function listCustomers (url: string, query: Query & { readonly sort: string | undefined }) {
  return await readFirst(url, '', CustomerPage, query)
}

/** Reads the last removed customers, or those that a search finds. @throws CommandError */
export async function listRemoved (url: string, query: Query) {
  return await readFirst(url, '/removed', RemovedPage, query)
}

/** Reads the first possible duplicates. @throws CommandError */
export async function listDuplicates (url: string, query: Pick<Query, 'limit'>) {
  return await readFirst(url, '/duplicates', DuplicatesPage, query)
}

async function readFirst<S extends typeof CustomerPage | typeof RemovedPage | typeof DuplicatesPage> (
  url: string, path: string, schema: S, { limit, ...selected }: Query
) {
  const items: Array<Static<S>['items'][number]> = []
  let cursor: string | undefined
  do {
    const parameters = Object.entries({ ...selected, cursor, limit: `${Math.min(PAGE_LIMIT, limit - items.length)}` })
    const query = new URLSearchParams(parameters.filter((it): it is [string, string] => it[1] !== undefined))
    const page = await callService(url, `${path}?${query}`, {}, jsonOf(schema))
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined && items.length < limit)
  return { items, hasMore: cursor !== undefined }
}

/** Reads a customer, with its ETag. @throws CommandError */
export async function readCustomer (url: string, number: string): Promise<Customer & { etag: string }> {
  const read = jsonOf(Customer)
  return await callService(url, pathOf(number), { headers: { accept: 'application/json' } }, async (response, service) =>
    ({ ...await read(response, service), etag: response.headers.etag ?? '' }))
}

/** Changes a customer that has one of the ETags; `*`: any. @throws CommandError */
export async function changeCustomer (url: string, number: string, changes: object, ifMatch: string): Promise<void> {
  const request = { method: 'PATCH', headers: { 'if-match': ifMatch }, json: changes } as const
  await callService(url, pathOf(number), request, close)
}

/** Restores a version of a customer; without one, a removed customer as it was. @throws CommandError */
export async function restoreCustomer (url: string, number: string, version: string | undefined): Promise<void> {
  const restored = version ?? await readRemovedVersion(url, number)
  await callService(url, `${pathOf(number)}/history/${encodeURIComponent(restored)}/restore`, { method: 'POST' }, close)
}

async function readRemovedVersion (url: string, number: string): Promise<number> {
  const { items: [last] } = await callService(url, `${pathOf(number)}/history?limit=1`, {}, jsonOf(LastChange))
  if (last?.kind === 'removed') return last.version
  throw new CommandError(`Customer ${number} was not removed. To restore an earlier version, add it, as in: restore ${number} 12.`)
}

async function close (response: IncomingMessage): Promise<void> {
  response.socket.destroy()
}

function pathOf (number: string): string {
  return `/${encodeURIComponent(number)}`
}
