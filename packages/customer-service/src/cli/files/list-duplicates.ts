import type { ListedCustomer } from '@frontdesk/schemas/customer-page'
import { interruptible } from './interruptible.js'
import { readJson } from './read-json.js'
import { assertType, call, findService, lost } from './service.js'

/** Maximum pairs to list. */
const MAX_PAIRS = 1_000

const PAGE_LIMIT = 200

interface DuplicatePair { readonly customers: readonly [ListedCustomer, ListedCustomer], readonly similar: readonly string[] }

interface Page { readonly items: readonly DuplicatePair[], readonly next?: string }

/** Lists the first possible duplicates of a service. @throws CommandError */
export async function listDuplicates (url: string): Promise<DuplicatePair[]> {
  const service = findService(url)
  return await interruptible('Stopped.', async signal => {
    const pairs: DuplicatePair[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined && pairs.length < MAX_PAIRS;) {
      const path: string = `/duplicates?limit=${PAGE_LIMIT}${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { items, next }: Page = await call(service, path, { method: 'GET', headers: {}, signal }, async response => {
        assertType(response, 'application/json', service.url)
        const page = await readJson(response)
        if (typeof page !== 'object' || page === null) throw lost(service.url)
        // as: the service's own type.
        return page as Page
      })
      pairs.push(...items)
      cursor = next
    }
    return pairs
  })
}
