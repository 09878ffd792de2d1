/** The header of a conditional write. */
export function ifMatchHeader (ifMatch: string | undefined): Record<string, string> {
  return ifMatch === undefined ? {} : { 'If-Match': ifMatch }
}

/** Empty if a proxy removed it, so that a write with it is refused instead of unconditional. */
export function readETag (headers: Headers) {
  return headers.get('etag') ?? ''
}
