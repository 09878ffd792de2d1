/** Any base: only what stays on it leads to a page of this server. */
const HERE = 'http://here.invalid'

/** A path of this server with its query; `null`: the text leads elsewhere. */
export function localPath (text: string): string | null {
  const url = URL.canParse(text, HERE) ? new URL(text, HERE) : null
  if (url?.origin !== HERE || !text.startsWith('/') || url.pathname.startsWith('//')) return null
  return url.pathname + url.search
}
