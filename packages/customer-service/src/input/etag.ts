import { CODINGS, parseEtags } from '@frontdesk/service-kit/etags'

/** Versions to which a change applies. */
export type Versions = 'any' | number[]

const own = new RegExp(`^(0|[1-9]\\d{0,9})-(?:text|json)${CODINGS}$`)

/** Makes the strong entity tag of a version's representation (RFC 9110 §8.8.3). */
export function makeEtag (version: number, representation: 'text' | 'json'): string {
  return `"${version}-${representation}"`
}

/**
 * Parses `If-Match` (RFC 9110 §13.1.1): the tag of either representation matches its version, even with a suffix that a
 * compressing proxy added. Other tags match nothing. Returns `undefined` if it is not a list of tags.
 */
export function parseIfMatch (header: string | undefined): Versions | undefined {
  if (header === undefined || header.trim() === '*') return 'any'
  const versions = parseEtags(header)?.map(tag => Number(own.exec(tag)?.[1])).filter(version => version <= 2147483647)
  return versions === undefined ? undefined : [...new Set(versions)]
}
