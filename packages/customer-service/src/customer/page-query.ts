import { DEFAULT_LIMIT, parameters } from './list-query.js'
import type { Check } from './query.js'

/** A page: how many items, and the place in the list after which they begin; `undefined`: the beginning. */
export interface Page<Place> { readonly limit: number, readonly place: Place | undefined }

/** Reads the parameters of a page. @param parseCursor returns `undefined` for a text that is not a cursor of the list */
export function pageParameters<Place> (parseCursor: (text: string) => Place | undefined) {
  const cursor: Check = text =>
    parseCursor(text) === undefined ? { detail: 'Is not a cursor of this list. Send next of a page unchanged.' } : undefined
  return {
    checks: { limit: parameters.limit, cursor },
    read: ({ limit, cursor }: { readonly limit?: string, readonly cursor?: string }): Page<Place> =>
      ({ limit: Number(limit ?? DEFAULT_LIMIT), place: cursor === undefined ? undefined : parseCursor(cursor) })
  }
}
