import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyRequest } from 'fastify'
import { parseParameters, single } from '../oauth/parameters.js'

/** Maximum length of an authorization request in a link, in characters: email programs break longer links. */
const MAX_REQUEST = 1_500

/** The authorization request in the query of a page that an email resumes; `undefined`: none, or one that is too long, or pushed. */
export function requestIn ({ url }: Pick<FastifyRequest, 'url'>): string | undefined {
  const query = queryOf(url)
  const parameters = parseParameters(query)
  const isResumable = query.length <= MAX_REQUEST && single(parameters, 'client_id') !== undefined && parameters.request_uri === undefined
  return isResumable ? query : undefined
}
