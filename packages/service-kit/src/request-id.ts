import type { IncomingHttpHeaders } from 'node:http'
import { createTimeIds } from './time-id.js'

/** Apart from the ids of rows, which hold the time of the database. */
const next = createTimeIds()

/** A new request id: a UUID of version 7. */
export function makeRequestId (): string {
  return next(new Date())
}

/** The request id: `X-Request-Id` if it has at most 64 letters, digits and `. _ -`, else a new one. */
export function requestIdOf ({ headers: { 'x-request-id': id } }: { headers: IncomingHttpHeaders }): string {
  return typeof id === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(id) ? id : makeRequestId()
}
