import { isTooDeep } from '@frontdesk/service-kit/json'
import type { FastifyInstance } from 'fastify'

/** Makes the routes of a scope read JSON, and no other bodies. @param convert what it makes of a parsed body */
export function readJsonBodies (fastify: FastifyInstance, convert = (body: unknown): unknown => body): void {
  fastify.removeAllContentTypeParsers()
  const parse = fastify.getDefaultJsonParser('error', 'error')
  fastify.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isTooDeep(body)) done(Object.assign(new Error('the JSON has too many levels'), { statusCode: 400 }))
    else parse(request, body, (error, parsed) => done(error, convert(parsed)))
  })
}
