// Records what goes over the wire, for the developer view. Nothing is recorded while it is off, and no token is kept.
import { state, update } from './state.js'

const MOST = 50
const LONGEST_BODY = 4_000
const send = globalThis.fetch.bind(globalThis)

/** Lets every request of this page pass through here. */
export function record () {
  globalThis.fetch = async (url, init = {}) => {
    if (!state.settings.developer) return send(url, init)
    const exchange = await requestOf(url, init)
    const started = performance.now()
    try {
      const response = await send(url, init)
      Object.assign(exchange, { status: response.status, ms: Math.round(performance.now() - started), answer: [...response.headers] })
      // A stream has no end.
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        beginningOf(response.clone()).then(text => {
          exchange.answerBody = text
          update()
        }, () => {})
      }
      return response
    } catch (error) {
      const failure = error.name === 'AbortError' ? 'cancelled' : 'no answer'
      Object.assign(exchange, { ms: Math.round(performance.now() - started), failure })
      throw error
    } finally {
      update({ exchanges: [exchange, ...state.exchanges].slice(0, MOST) })
    }
  }
}

async function requestOf (url, { method = 'GET', headers = {}, body }) {
  // A body that is typed, such as a form, tells its media type as fetch does.
  const { headers: sent } = new Request(location.href, { method, headers, body })
  const text = body ? await beginningOf(new Response(body)) : ''
  return { method, url, headers: [...sent].map(([name, value]) => [name, shorten(value)]), body: text }
}

/** Reads no more than is shown: a file may be large. */
async function beginningOf ({ body }) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    text += part.value
    if (text.length >= LONGEST_BODY) reader.cancel().catch(() => {})
  }
  return shorten(text)
}

/** Tokens, codes and verifiers, which are as good as a password, are cut. */
function shorten (text) {
  return text.slice(0, LONGEST_BODY)
    .replace(/eyJ[\w-]{5}[\w-]*\.[\w.-]+/g, token => `${token.slice(0, 8)}…`)
    .replace(/((?:refresh_token|code|code_verifier|token)(?:=|":\s*"))([\w.~-]{5})[\w.~-]+/g, '$1$2…')
}

/** The same request for a shell, with the token to be filled in. */
export function curlOf ({ method, url, headers, body }) {
  const quote = text => `'${text.replaceAll('\'', '\'\\\'\'')}'`
  const fields = headers.map(([name, value]) => name === 'authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`)
  return ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`]), ...fields, ...(body ? [`--data-raw ${quote(body)}`] : []), quote(url)].join(' \\\n  ')
}
