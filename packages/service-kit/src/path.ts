/** The path of a request target, without query: what may be logged of it. */
export function pathOf (url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
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
