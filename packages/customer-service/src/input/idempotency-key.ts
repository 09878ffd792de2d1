import { IDEMPOTENCY_KEY_RULE, readIdempotencyKey as read } from '@frontdesk/service-kit/idempotency-key'
import type { IncomingMessage } from 'node:http'
import { idempotencyKeyMalformed } from '../problems/request.js'

/** Reads the request's `Idempotency-Key`; `null` if it has none. @throws ProblemError `idempotency-key-malformed` */
export function readIdempotencyKey (request: IncomingMessage): string | null {
  const key = read(request)
  if (key === undefined) throw idempotencyKeyMalformed(IDEMPOTENCY_KEY_RULE)
  return key
}
