/**
 * Regular expression of the suffix that compressing proxies add to a tag: Apache and Caddy `-gzip`, Jetty `--gzip` or `;gzip`.
 */
export const CODINGS = '(?:(?:--?|;)(?:x-gzip|gzip|br|zstd|deflate))*'

/** A tag. It can be weak, or have a coding after its quotes, as nginx and Apache send it. */
const TAG = `(?:W/)?"([\\x21\\x23-\\x7e\\x80-\\xff]*)"${CODINGS}`
const list = new RegExp(`^[ \\t,]*(?:${TAG}[ \\t]*(?:,[ \\t,]*|$))+$`)
const tags = new RegExp(TAG, 'g')
const codings = new RegExp(`^${CODINGS}$`)

/** The opaque tags of `If-Match` or `If-None-Match` (RFC 9110 §8.8.3), without quotes; `undefined` if it is not a list of tags. */
export function parseEtags (header: string): string[] | undefined {
  return list.test(header) ? [...header.matchAll(tags)].map(([, tag = '']) => tag) : undefined
}

/**
 * Whether `If-None-Match` (RFC 9110 §13.1.2) has the tag, by weak comparison, or with the suffix of a compressing proxy.
 * @param etag with quotes
 */
export function matchesAny (header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const own = etag.slice(1, -1)
  return header.trim() === '*' || (parseEtags(header)?.some(tag => tag.startsWith(own) && codings.test(tag.slice(own.length))) ?? false)
}
