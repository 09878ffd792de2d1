import Fastify from 'fastify'
import { checkToken } from './token-check.js'

const TIME = '2026-01-01T00:00:00.000Z'

/** A page with the bytes of customer-service's; its version and times are constant. */
const PAGE = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          customerid: { type: 'integer' },
          customername: { type: 'string' },
          customerage: { type: 'integer' },
          customeraddress: { type: 'string' },
          etag: { type: 'string' },
          created: { type: 'string' },
          updated: { type: 'string' },
          href: { type: 'string' }
        }
      }
    },
    next: { type: 'string' }
  }
}

const toItem = ({ id, name, age, address }) => ({
  customerid: id,
  customername: name,
  customerage: age,
  customeraddress: address,
  etag: '"198784005-json"',
  created: TIME,
  updated: TIME,
  href: `/rest/qa/customer/${id}`
})

/**
 * Fastify with the interface of customer-service: a token check, and one prepared statement a request. It validates
 * nothing and logs nothing: it is a limit.
 * @param {Record<'find' | 'list' | 'search' | 'add' | 'move' | 'moveOne' | 'remove', Function>} table one statement each, that may be
 *   a promise
 */
export async function serveCustomers ({ find, list, search, add, move, moveOne, remove }) {
  const fastify = Fastify()
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    done(null, new URLSearchParams(body))
  })
  fastify.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, (request, body, done) => {
    done(null, JSON.parse(body))
  })
  fastify.addHook('onRequest', checkToken)
  fastify.get('/rest/qa/customer/:id', async (request, reply) => {
    const row = await find(Number(request.params.id))
    return row === undefined ? reply.code(404).send() : reply.type('text/plain; charset=utf-8').send(row.name)
  })
  fastify.get('/rest/qa/customer', { schema: { response: { 200: PAGE } } }, async ({ query: { name } }) => {
    if (name !== undefined) return { items: (await search(name)).map(toItem) }
    return { items: (await list()).map(toItem), next: 'WyI0N0RFUXBqOCIsNTBd' }
  })
  fastify.post('/rest/qa/customer', async ({ body }, reply) => {
    const id = Number(body.get('customerid'))
    const changes = await add(id, body.get('customername'), Number(body.get('customerage')), body.get('customeraddress'))
    return reply.code(changes === 1 ? 201 : 409).header('location', `/rest/qa/customer/${id}`).send()
  })
  fastify.put('/rest/qa/customer', async ({ body }, reply) => {
    return reply.code(await move(body.get('customeraddress'), body.get('customername')) === 1 ? 204 : 404).send()
  })
  fastify.patch('/rest/qa/customer/:id', async ({ params, body }, reply) => {
    return reply.code(await moveOne(body.customeraddress, Number(params.id)) === 1 ? 204 : 404).send()
  })
  fastify.delete('/rest/qa/customer/:id', async (request, reply) => {
    return reply.code(await remove(Number(request.params.id)) === 1 ? 204 : 404).send()
  })
  await fastify.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
}
