import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { parseForm } from '../input/form.js'
import { valuesOf } from '../input/header.js'
import { isForm } from '../input/media-type.js'
import { mediaTypeUnsupported } from '../problems/request.js'

/** In this scope a body is a form or is refused: 415 before anything is read, 400 if it cannot be. */
export default fp(async function forms (fastify) {
  fastify.addHook('preParsing', async request => {
    refuseOther(request)
    request.wantBody()
  })
  // The hook has looked at the type; the parser only sees forms, however their type is spelt.
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // as: that is what `parseAs` promises.
      done(null, parseForm(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}, { name: 'forms', fastify: '5.x', dependencies: ['expectations'] })

function refuseOther ({ raw }: FastifyRequest) {
  const [type, ...others] = valuesOf(raw.rawHeaders, 'content-type')
  if (type === undefined) throw mediaTypeUnsupported('Content-Type is missing. Send application/x-www-form-urlencoded.')
  if (others.length > 0 || !isForm(type)) throw mediaTypeUnsupported('Content-Type must be application/x-www-form-urlencoded, in utf-8.')
  if (!/^(identity)?$/i.test(raw.headers['content-encoding']?.trim() ?? '')) throw mediaTypeUnsupported('The body must not be compressed. Leave Content-Encoding out.')
}
