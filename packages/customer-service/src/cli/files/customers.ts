import { Customer } from '@frontdesk/schemas/customer'
import { CustomerPage, type ListedCustomer } from '@frontdesk/schemas/customer-page'
import { callService, jsonOf } from './call-json.js'

/** Maximum customers on a page. */
const PAGE_LIMIT = 200

interface Query { readonly q: string | undefined, readonly sort: string | undefined, readonly limit: number }

/** Reads the first customers of a list or a search. @throws CommandError */
export async function listCustomers (
  url: string, { limit, q, sort }: Query
): Promise<{ customers: ListedCustomer[], hasMore: boolean }> {
  const customers: ListedCustomer[] = []
  let cursor: string | undefined
  do {
    const parameters = Object.entries({ q, sort, cursor, limit: `${Math.min(PAGE_LIMIT, limit - customers.length)}` })
    const query = new URLSearchParams(parameters.filter((it): it is [string, string] => it[1] !== undefined))
    const page = await callService(url, `?${query}`, {}, jsonOf(CustomerPage))
    customers.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined && customers.length < limit)
  return { customers, hasMore: cursor !== undefined }
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
  await callService(url, pathOf(number), request, async response => { response.socket.destroy() })
}

function pathOf (number: string): string {
  return `/${encodeURIComponent(number)}`
}
