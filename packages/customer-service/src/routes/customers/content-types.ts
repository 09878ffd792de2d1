import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { headerValues } from '@frontdesk/service-kit/header'
import { hasType, parseMediaType } from '../../input/media-type.js'
import { mediaTypeUnsupported } from '../../problems/request.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Parses the body by its type. */
    readBody: (body: Buffer) => unknown
  }
  interface FastifyContextConfig {
    /** Media types of a PATCH (RFC 5789 §3.1). */
    acceptPatch?: string
  }
}

/** Functions that parse bodies, by media type. */
export type Readers = Record<string, (body: Buffer) => unknown>

/** `isStreamed`: routes get the body as a stream, in any charset, and compressed if its `Content-Encoding` says so. */
interface ContentTypesOptions { readers: Readers, isStreamed?: boolean }

/** Accepts only bodies of these types: 415 before the body is read, 400 if it cannot be parsed. */
export default fp<ContentTypesOptions>(async function contentTypes (fastify, { readers, isStreamed = false }) {
  const entries = Object.entries(readers)
  const types = Object.keys(readers)
  const isType = isStreamed ? (type: string, known: string) => parseMediaType(type)?.name === known : hasType
  const encodings = isStreamed ? /^(identity|(x-)?gzip)?$/i : /^(identity)?$/i
  fastify.decorateRequest('readBody')

  fastify.addHook('preParsing', async request => {
    request.readBody = choose(request)
    request.expectBody()
  })
  // `*`: the hook has checked the type.
  if (isStreamed) {
    fastify.addContentTypeParser('*', (request, body, done) => done(null, body))
    return
  }
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // as: `parseAs` says so.
      done(null, request.readBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  function choose ({ raw, routeOptions }: FastifyRequest) {
    const [type, ...others] = headerValues(raw.rawHeaders, 'content-type')
    const reader = type === undefined || others.length > 0 ? undefined : entries.find(([known]) => isType(type, known))?.[1]
    if (reader !== undefined && encodings.test(raw.headers['content-encoding']?.trim() ?? '')) return reader
    const { acceptPatch } = routeOptions.config
    throw mediaTypeUnsupported(explain(type, reader !== undefined), {
      headers: { Accept: types.join(', '), ...(acceptPatch === undefined ? {} : { 'Accept-Patch': acceptPatch }) }
    })
  }

  function explain (type: string | undefined, isCompressed: boolean) {
    if (isCompressed) return isStreamed ? 'Content-Encoding must be gzip, or left out.' : 'The body must not be compressed. Leave Content-Encoding out.'
    return type === undefined
      ? `Content-Type is missing. Send ${types.join(' or ')}.`
      : `Content-Type must be ${types.join(' or ')}${isStreamed ? '' : ', in utf-8'}.`
  }
}, { name: 'content-types', fastify: '5.x', dependencies: ['expect-continue'] })
