/** The query of an address, byte for byte; empty without one. */
export function queryOf (url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
