import type { IncomingHttpHeaders } from 'node:http'
import { createTimeIds } from './time-id.js'

/** Separate from the ids of rows, which have the database's time. */
const next = createTimeIds()

/** Makes a request id: a UUID of version 7. */
export function makeRequestId (): string {
  return next(new Date())
}

/** Reads `X-Request-Id` if it has at most 64 letters, digits and `. _ -`, else makes a new id. */
export function readRequestId ({ headers: { 'x-request-id': id } }: { headers: IncomingHttpHeaders }): string {
  return typeof id === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(id) ? id : makeRequestId()
}
