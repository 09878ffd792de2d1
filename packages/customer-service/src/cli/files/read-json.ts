import { parseJson } from '@frontdesk/service-kit/json'
import type { IncomingMessage } from 'node:http'

/** Maximum size of a JSON response: a report has at most a thousand errors. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

/** Reads a JSON response and closes its connection. @returns `undefined` if it is not JSON, or too large */
export async function readJson (response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // as: no encoding is set.
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_RESPONSE_BYTES) return undefined
      chunks.push(chunk)
    }
  } finally {
    response.socket.destroy()
  }
  return parseJson(Buffer.concat(chunks).toString())
}
