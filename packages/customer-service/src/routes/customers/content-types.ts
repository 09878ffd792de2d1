import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { valuesOf } from '@frontdesk/service-kit/header'
import { hasType } from '../../input/media-type.js'
import { mediaTypeUnsupported } from '../../problems/request.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Reads the body, whose type has been looked at. */
    readBody: (body: Buffer) => unknown
  }
  interface FastifyContextConfig {
    /** Media types that a PATCH may be of (RFC 5789 §3.1). */
    acceptPatch?: string
  }
}

/** What a body may be in a scope. */
export interface ContentTypesOptions {
  /** What reads it, by media type. */
  readers: Record<string, (body: Buffer) => unknown>
}

/** In this scope a body is of a listed type or is refused: 415 before anything is read, 400 if it cannot be. */
export default fp<ContentTypesOptions>(async function contentTypes (fastify, { readers }) {
  const entries = Object.entries(readers)
  const types = Object.keys(readers)
  fastify.decorateRequest('readBody')

  fastify.addHook('preParsing', async request => {
    request.readBody = choose(request)
    request.wantBody()
  })
  // The hook has looked at the type, however it is spelt.
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // as: that is what `parseAs` promises.
      done(null, request.readBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  function choose ({ raw, routeOptions }: FastifyRequest) {
    const [type, ...others] = valuesOf(raw.rawHeaders, 'content-type')
    const reader = type === undefined || others.length > 0 ? undefined : entries.find(([known]) => hasType(type, known))?.[1]
    if (reader !== undefined && /^(identity)?$/i.test(raw.headers['content-encoding']?.trim() ?? '')) return reader
    const { acceptPatch } = routeOptions.config
    throw mediaTypeUnsupported(explain(type, reader !== undefined), {
      headers: { Accept: types.join(', '), ...(acceptPatch === undefined ? {} : { 'Accept-Patch': acceptPatch }) }
    })
  }

  function explain (type: string | undefined, isCompressed: boolean) {
    if (isCompressed) return 'The body must not be compressed. Leave Content-Encoding out.'
    return type === undefined ? `Content-Type is missing. Send ${types.join(' or ')}.` : `Content-Type must be ${types.join(' or ')}, in utf-8.`
  }
}, { name: 'content-types', fastify: '5.x', dependencies: ['expect-continue'] })
