import { headerValues } from '@frontdesk/service-kit/header'
import type { IncomingMessage } from 'node:http'
import { idempotencyKeyMalformed } from '../problems/request.js'

/** A structured string (RFC 8941 §3.3.3) without spaces. */
const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/
/** Without quotes, as many clients send it. Without commas, which could join two header fields. */
const bare = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/

const MAX_LENGTH = 255

/** Reads the request's `Idempotency-Key`; `null` if it has none. @throws ProblemError `idempotency-key-malformed` */
export function readIdempotencyKey ({ headers, rawHeaders }: IncomingMessage): string | null {
  return headers['idempotency-key'] === undefined ? null : parseIdempotencyKey(headerValues(rawHeaders, 'idempotency-key'))
}

/**
 * Parses `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2), with or without quotes.
 * @param values of every such header field
 * @returns `null` if there is none
 * @throws ProblemError `idempotency-key-malformed`
 */
export function parseIdempotencyKey (values: string[]): string | null {
  const [value, ...others] = values
  if (value === undefined) return null
  const key = bare.test(value) ? value : quoted.exec(value)?.[1]?.replace(/\\(.)/g, '$1')
  if (others.length > 0 || key === undefined || key.length > MAX_LENGTH) {
    throw idempotencyKeyMalformed(`Idempotency-Key must be one key of 1 to ${MAX_LENGTH} visible ASCII characters, in quotes or without.`)
  }
  return key
}
