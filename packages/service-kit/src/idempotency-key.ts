import { headerValues } from './header.js'
import type { IncomingMessage } from 'node:http'

/** A structured string (RFC 8941 §3.3.3) without spaces. */
const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/
/** Without quotes, as many clients send it. Without commas, which could join two header fields. */
const bare = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/

const MAX_LENGTH = 255

/** What an `Idempotency-Key` must be. */
export const IDEMPOTENCY_KEY_RULE = `Idempotency-Key must be one key of 1 to ${MAX_LENGTH} visible ASCII characters, in quotes or without.`

/** Reads the request's `Idempotency-Key`; `null` if it has none, `undefined` if it is malformed. */
export function readIdempotencyKey ({ headers, rawHeaders }: IncomingMessage): string | null | undefined {
  return headers['idempotency-key'] === undefined ? null : parseIdempotencyKey(headerValues(rawHeaders, 'idempotency-key'))
}

/**
 * Parses `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2), with or without quotes.
 * @param values of every such header field
 * @returns `null` if there is none, `undefined` if it is malformed
 */
export function parseIdempotencyKey (values: readonly string[]): string | null | undefined {
  const [value, ...others] = values
  if (value === undefined) return null
  const key = bare.test(value) ? value : quoted.exec(value)?.[1]?.replace(/\\(.)/g, '$1')
  return others.length > 0 || key === undefined || key.length > MAX_LENGTH ? undefined : key
}
