import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { parseIfMatch, type Versions } from '../../input/etag.js'
import { conditionMissing, customerUnknown, versionDiffers } from '../../problems/customer.js'
import type { ProblemError } from '../../problems/define.js'
import { requestMalformed } from '../../problems/request.js'

/** Schema of a write's headers. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'ETags of the customer that was read, in either representation. Required if the service sets `REQUIRE_IF_MATCH`.' })
  )
})

/** Schema of the headers of a write that can add a customer. */
export const WriteCondition = Type.Object({
  ...IfMatch.properties,
  'if-none-match': Type.Optional(Type.String({ description: '`*` adds the customer, and fails if it already exists.' }))
})

/** Whether a write must add a customer: `If-None-Match: *` (RFC 9110 §13.1.2), and no other condition. */
export function mustAdd ({ headers }: FastifyRequest): boolean {
  return headers['if-none-match']?.trim() === '*' && headers['if-match'] === undefined
}

/**
 * Reads the versions to which a write applies (RFC 9110 §13.1.1). Rejects any other condition, which must not be ignored (§13.1.2).
 * @param isRequired rejects a write without If-Match (RFC 6585 §3)
 * @throws ProblemError `request-malformed`, `condition-missing`
 */
export function readIfMatch ({ headers }: FastifyRequest, isRequired: boolean): Versions {
  if (headers['if-none-match'] !== undefined) throw requestMalformed('Send If-Match, or no condition. If-None-Match works for reads, and as If-None-Match: * for PUT by identifier.')
  const ifMatch = headers['if-match']
  if (isRequired && ifMatch === undefined) throw conditionMissing('Send If-Match with the ETag of your last read. Nothing was changed.')
  const versions = parseIfMatch(ifMatch)
  if (versions === undefined) {
    throw requestMalformed(
      'If-Match is not a list of ETags. Send the customer\'s ETag as you read it, with its quotes, such as If-Match: "12-text", or If-Match: *. Nothing was changed.'
    )
  }
  return versions
}

/** Makes the error of a write whose ETags, from If-Match or a tool's argument, do not include the current one. */
export function versionError (): ProblemError {
  return versionDiffers('The ETag you sent is not the customer\'s current ETag. Nothing was changed.')
}

/** Makes the error of a write that changed nothing. */
export function mismatchError (outcome: 'unknown' | 'version differs', id: number): ProblemError {
  return outcome === 'unknown'
    ? customerUnknown(`There is no customer with the identifier ${id}.`)
    : versionError()
}
