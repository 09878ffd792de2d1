import { joinOr } from '@frontdesk/service-kit/join-or'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { metadataError } from '../oauth/errors.js'

/** Metadata of the right shape. @throws OAuthError that names the first member of another shape, and what it must be */
export function readShape<T extends TSchema> (schema: T, metadata: unknown): Static<T> {
  const fault = Value.Errors(schema, metadata).First()
  // as: the schema was checked.
  if (fault === undefined) return metadata as Static<T>
  // The path has no names of the request: unknown members are not checked.
  const place = fault.path.slice(1).replaceAll('/', '.') || 'The metadata'
  // as: a union here has literals only.
  const values = (fault.schema.anyOf as Array<{ const?: string }> | undefined)?.flatMap(it => it.const ?? []) ?? []
  const sentence = values.length === 0 ? fault.message : `It must be ${joinOr(values)}`
  throw metadataError(`${place}: ${sentence}.`, place.startsWith('redirect_uris') ? 'invalid_redirect_uri' : undefined)
}
