import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'

/** Sends requests to a site with the cookies that it set, as a browser follows links: `fetch` marks its requests as those of a script. */
export function visitor () {
  const cookies = new Map<string, string>()
  return async (url: string, method = 'GET') => {
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
    const request = http.request(url, { method, headers: { cookie, accept: 'text/html' } }).end()
    // as: the one argument of the event.
    const [response] = await once(request, 'response') as [http.IncomingMessage]
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    return { status: response.statusCode, location: response.headers.location ?? '', text: await text(response) }
  }
}
