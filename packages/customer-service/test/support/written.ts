import { exchange, request } from './socket.js'

/** Header fields that every answer has, and those of the connection: they tell nothing about one answer. */
const EVERYWHERE = new Set([
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'date',
  // Another one each minute.
  'dpop-nonce',
  'keep-alive',
  'referrer-policy',
  'vary',
  'x-content-type-options',
  'x-request-id'
])

/** The constants that stand in documentation for what is new in every answer. */
const REQUEST_ID = '7d1f5a52-0c1e-4a53-9b1c-6f0d3f1f9a20'
const VERSION = '554839195'
const MARK = '8f3a9c21d04e'

/** What came back, with constants for what is new in every answer. */
export interface Answer {
  status: number
  /** By name in lower case, without those that every answer has. */
  headers: Record<string, string>
  body: string
}

/** Sends a request as documentation writes it: request line, header fields, an empty line, the body. Adds what every client does. */
export async function sendWritten (port: number, written: string): Promise<Answer> {
  const [head = '', body = ''] = written.split('\n\n', 2)
  const [line = '', ...fields] = head.split('\n')
  const isLengthKnown = body === '' || /^content-length:/im.test(head)
  return read(await exchange(port, request(
    line.endsWith(' HTTP/1.1') ? line : `${line} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...fields,
    ...(isLengthKnown ? [] : [`Content-Length: ${Buffer.byteLength(body)}`])
  ) + body))
}

/** Sends it again while the service is overloaded: a machine that is busy with something else is so at any time. */
export async function sendUntilAdmitted (port: number, written: string): Promise<Answer> {
  const answer = await sendWritten(port, written)
  return /"type":"[^"]*\/problems\/service-overloaded"/.test(answer.body) ? await sendUntilAdmitted(port, written) : answer
}

function read (text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [line = '', ...fields] = head.split('\r\n')
  const all = Object.fromEntries(
    fields.map(field => [
      field.split(':', 1)[0]!.toLowerCase(),
      field
        .slice(field.indexOf(':') + 1)
        .trim()
        .replace(/^"\d+-/, `"${VERSION}-`)
    ])
  )
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(Object.entries(all).filter(([name]) => !EVERYWHERE.has(name))),
    body: body.replace(all['x-request-id'] ?? REQUEST_ID, REQUEST_ID).replace(/(?<="\d+-)[0-9a-f]{12}(?=")/g, MARK)
  }
}
