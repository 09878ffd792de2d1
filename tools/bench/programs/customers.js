import Fastify from 'fastify'
import { checkToken } from './token-check.js'

/**
 * Fastify with the interface of customer-service: a token check, and one prepared statement a request. It validates
 * nothing and logs nothing: it is a limit.
 * @param {{ find: Function, add: Function, move: Function, remove: Function }} table one statement each, that may be a promise
 */
export async function serveCustomers ({ find, add, move, remove }) {
  const fastify = Fastify()
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    done(null, new URLSearchParams(body))
  })
  fastify.addHook('onRequest', checkToken)
  fastify.get('/rest/qa/customer/:id', async (request, reply) => {
    const row = await find(Number(request.params.id))
    return row === undefined ? reply.code(404).send() : reply.type('text/plain; charset=utf-8').send(row.name)
  })
  fastify.post('/rest/qa/customer', async ({ body }, reply) => {
    const id = Number(body.get('customerid'))
    const changes = await add(id, body.get('customername'), Number(body.get('customerage')), body.get('customeraddress'))
    return reply.code(changes === 1 ? 201 : 409).header('location', `/rest/qa/customer/${id}`).send()
  })
  fastify.put('/rest/qa/customer', async ({ body }, reply) => {
    return reply.code(await move(body.get('customeraddress'), body.get('customername')) === 1 ? 204 : 404).send()
  })
  fastify.delete('/rest/qa/customer/:id', async (request, reply) => {
    return reply.code(await remove(Number(request.params.id)) === 1 ? 204 : 404).send()
  })
  await fastify.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
}
