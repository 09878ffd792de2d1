/** The path of a request target, without the query. */
export function pathOf (url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** The query of a request target: what follows `?`; empty if there is none. */
export function queryOf (url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/** Whether every percent-escape of the path is valid UTF-8 (RFC 3986 §2.1). */
export function hasValidEscapes (url: string): boolean {
  const path = pathOf(url)
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
