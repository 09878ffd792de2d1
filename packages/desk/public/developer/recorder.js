// Records requests and responses for the developer view. Records nothing while it is off, and stores no tokens.
import { state, update } from '../state.js'
import { t } from '../language.js'

const MAX_EXCHANGES = 50
const MAX_CHARACTERS = 4_000
const send = globalThis.fetch.bind(globalThis)

/** Intercepts every request from this page. */
export function record () {
  globalThis.fetch = async (url, init = {}) => {
    if (!state.settings.developer) return send(url, init)
    const exchange = requestOf(url, init)
    const started = performance.now()
    try {
      const response = await send(url, init)
      Object.assign(exchange, { outcome: response.status, isGood: response.ok, answer: [...response.headers] })
      // Not for a stream or a file: it would stay in memory.
      if (/json|text\/plain/.test(response.headers.get('content-type'))) readBody(response.clone(), exchange)
      return response
    } catch (error) {
      exchange.outcome = t(error.name === 'AbortError' ? 'developer.cancelled' : 'developer.noResponse')
      throw error
    } finally {
      exchange.ms = Math.round(performance.now() - started)
      update({ exchanges: [exchange, ...state.exchanges].slice(0, MAX_EXCHANGES) })
    }
  }
}

/**
 * @param {URL | RequestInfo} url
 * @param {RequestInit} init
 */
function requestOf (url, { method = 'GET', headers = {}, body }) {
  // For a body with a type, such as a form, fetch sets the media type.
  const { headers: sent } = new Request(location.href, { method, headers, body })
  const text = body instanceof Blob ? t('developer.bytes', { count: body.size }) : shorten(String(body ?? ''))
  return { method, url, headers: [...sent].map(([name, value]) => [name, shorten(value)]), body: text }
}

async function readBody (response, exchange) {
  exchange.answerBody = shorten(await response.text().catch(() => ''))
  update()
}

/** Truncates tokens, codes and verifiers, which are as sensitive as passwords. */
function shorten (text) {
  return text.slice(0, MAX_CHARACTERS)
    .replace(/eyJ[\w-]{5}[\w-]*\.[\w.-]+/g, token => `${token.slice(0, 8)}…`)
    .replace(/((?:refresh_token|code|code_verifier|token)(?:=|":\s*"))([\w.~-]{5})[\w.~-]+/g, '$1$2…')
}

/** The same request as a shell command, with a placeholder for the token. */
export function curlOf ({ method, url, headers, body }) {
  const quote = text => `'${text.replaceAll('\'', '\'\\\'\'')}'`
  const fields = headers.map(([name, value]) => name === 'authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`)
  return ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`]), ...fields, ...(body ? [`--data-raw ${quote(body)}`] : []), quote(url)].join(' \\\n  ')
}
