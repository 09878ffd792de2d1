/** Maximum stored length of a user agent, in characters. */
const MAX_USER_AGENT = 256

/** The `User-Agent` of a browser, to store; `null` if it sent none. */
export function userAgentOf ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string | null {
  const value = headers['user-agent']
  return typeof value === 'string' ? value.slice(0, MAX_USER_AGENT) : null
}
