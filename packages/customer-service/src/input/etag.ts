/** Versions that a change applies to; `any`: all. */
export type Versions = 'any' | number[]

const list = /^[ \t,]*((W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(,[ \t,]*|$))+$/
const tags = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g

/** The strong entity tag of one representation of one version (RFC 9110 §8.8.3). */
export function makeEtag (version: number, representation: 'text' | 'json'): string {
  return `"${version}-${representation}"`
}

/**
 * Parses `If-Match` (RFC 9110 §13.1.1): the tag of either representation stands for its version. Weak and foreign tags
 * match nothing; `undefined` if it is not a list of tags.
 */
export function parseIfMatch (header: string | undefined): Versions | undefined {
  if (header === undefined || header.trim() === '*') return 'any'
  if (!list.test(header)) return undefined
  const versions = new Set<number>()
  for (const [, weak, tag = ''] of header.matchAll(tags)) {
    const [, version] = /^(0|[1-9]\d{0,9})-(?:text|json)$/.exec(tag) ?? []
    if (weak === undefined && version !== undefined && Number(version) <= 2147483647) versions.add(Number(version))
  }
  return [...versions]
}

/** Whether `If-None-Match` (RFC 9110 §13.1.2) contains the tag, by weak comparison. */
export function matchesAny (header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || [...header.matchAll(tags)].some(([, , tag]) => `"${tag}"` === etag)
}
