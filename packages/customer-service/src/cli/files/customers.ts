import { Customer } from '@frontdesk/schemas/customer'
import { CustomerPage } from '@frontdesk/schemas/customer-page'
import { RemovedPage } from '@frontdesk/schemas/removed-page'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { Type } from '@sinclair/typebox'
import type { IncomingMessage } from 'node:http'
import { DuplicatesPage } from '../../customer/duplicates-page.js'
import { Merged } from '../../customer/merged.js'
import { callService, jsonOf } from './call-json.js'
import { readFirst, type Query } from './read-first.js'

const LastChange = Type.Object({ items: Type.Array(Type.Object({ kind: Type.String(), version: Type.Integer() })) })

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

/** Reads a customer, with its ETag. @throws CommandError */
export async function readCustomer (url: string, number: string): Promise<Customer & { etag: string }> {
  const read = jsonOf(Customer)
  return await callService(url, pathOf(number), { headers: { accept: 'application/json' } }, async (response, service) =>
    ({ ...await read(response, service), etag: response.headers.etag ?? '' }))
}

/** Merges a customer into another one. @throws CommandError */
export async function mergeCustomer (url: string, number: string, merge: object, ifMatch: string): Promise<Merged> {
  const request = { method: 'POST', headers: { 'if-match': ifMatch }, json: merge } as const
  return await callService(url, `${pathOf(number)}/merge`, request, jsonOf(Merged))
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
