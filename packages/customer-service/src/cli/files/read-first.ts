import type { TSchema } from '@sinclair/typebox'
import { callService, jsonOf } from './call-json.js'

/** Maximum items of a page. */
const PAGE_LIMIT = 200

/** What to read: how many items, and parameters of the list. */
export interface Query { readonly q?: string | undefined, readonly sort?: string | undefined, readonly limit: number }

/** The schema of a page of a list. */
type PageSchema<Item> = TSchema & { readonly static: { readonly items: Item[], readonly next?: string } }

/** Reads the first items of a list, page by page. @throws CommandError */
export async function readFirst<Item> (url: string, path: string, schema: PageSchema<Item>, { limit, ...selected }: Query) {
  const items: Item[] = []
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
