/**
 * What is sent.
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} Request
 */

/** Cache of formatted headers, by object: loads reuse the same ones. */
const written = new WeakMap()

/**
 * Formats a request for the wire, in Latin-1.
 * @param {Request} request
 * @returns {string}
 */
export function write ({ method = 'GET', path, headers, body }) {
  const start = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers === undefined ? '' : lines(headers)}`
  if (body === undefined) return `${start}\r\n`
  const bytes = Buffer.from(body)
  return `${start}content-length: ${bytes.length}\r\n\r\n${bytes.latin1Slice()}`
}

function lines (headers) {
  let text = written.get(headers)
  if (text === undefined) {
    text = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
    written.set(headers, text)
  }
  return text
}
