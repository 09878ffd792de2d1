import fp from 'fastify-plugin'

/** One line a request that is not shed, without its query, headers or body; the request id goes back to the caller. */
export default fp(async function requestLog (fastify) {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.admission === 'shed') return done()
    request.log.info({
      method: request.method,
      path: pathOf(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip
    }, 'request')
    done()
  })
}, { name: 'request-log', fastify: '5.x' })

function pathOf (url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}
