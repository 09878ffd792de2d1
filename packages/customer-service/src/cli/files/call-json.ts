import { FormatRegistry, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { IncomingMessage } from 'node:http'
import { interruptible } from './interruptible.js'
import { readJson } from './read-json.js'
import { otherServer } from './refusal.js'
import type { HttpRequest } from './send.js'
import { assertType, call, findService, lost, type Service } from './service.js'

// TypeBox knows no formats.
FormatRegistry.Set('date-time', text => !Number.isNaN(Date.parse(text)))

type Read<T> = (response: IncomingMessage, service: Service) => Promise<T>

interface JsonRequest extends Partial<Pick<HttpRequest, 'method' | 'headers'>> {
  /** The body. */
  readonly json?: unknown
}

/** Sends a request to a service. Ctrl-C stops it. @returns what `read` returns @throws CommandError with the reason */
export async function callService<T> (
  url: string, path: string, { method = 'GET', headers = {}, json }: JsonRequest, read: Read<T>
): Promise<T> {
  const service = findService(url)
  const content = json === undefined
    ? { headers }
    : { headers: { ...headers, 'content-type': 'application/json' }, body: once(Buffer.from(JSON.stringify(json))) }
  return await interruptible('Stopped.', async signal =>
    await call(service, path, { method, ...content, signal }, async response => await read(response, service)))
}

/** Makes the reader of a JSON response. @throws CommandError if it is not from customer-service */
export function jsonOf<S extends TSchema> (schema: S): Read<Static<S>> {
  return async (response, { url }) => {
    assertType(response, 'application/json', url)
    const value = await readJson(response)
    if (value === undefined) throw lost(url)
    if (!Value.Check(schema, value)) throw otherServer(url, 'no json', 200)
    return value
  }
}

async function * once (bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}
