import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { parseParameters, single } from '../oauth/parameters.js'

/** Documents the field of a link that authorizes its page. */
export const linkField = { link: Type.Optional(Type.String({ description: 'The link\'s secret.' })) }

/** The secret in the address of a page; empty: none. */
export function linkIn ({ url }: FastifyRequest): string {
  return single(parseParameters(queryOf(url)), 'link') ?? ''
}
