import { matchesAny, parseEtags } from '@frontdesk/service-kit/etags'
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { changed, invalid } from '../../admin/refusal.js'

/** Members that do not change the version: those about secrets and emails, and times that the client's own requests update. */
const UNVERSIONED = new Set(['secret', 'usedAt', 'withoutPkceAt', 'withoutSecret', 'mailedTo', 'mailFailure'])

/** The entity tag of a representation (RFC 9110 §8.8.3). */
export function etagOf (representation: unknown): string {
  const versioned = JSON.stringify(representation, (name, value: unknown) => UNVERSIONED.has(name) ? undefined : value)
  return `"${createHash('sha256').update(versioned).digest('base64url').slice(0, 22)}"`
}

/**
 * Makes the check of `If-Match` (RFC 9110 §13.1.1) for a change; `undefined` without the header.
 * @throws Refusal if the header is not a list of tags. The check throws one if the resource has another version
 */
export function readIfMatch ({ headers: { 'if-match': header } }: FastifyRequest): ((representation: unknown) => void) | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  if (parseEtags(header) === undefined) throw invalid('If-Match', 'If-Match must be * or a list of entity tags.')
  return representation => {
    if (!matchesAny(header, etagOf(representation))) {
      throw changed('If-Match', 'Someone else has changed it in the meantime. Read it again.')
    }
  }
}
