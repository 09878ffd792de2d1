import fastifyJwt from '@fastify/jwt'
import Fastify from 'fastify'
import { openPrisma } from './prisma-client.js'
import { audience, issuer, key } from './key.js'

/** Fastify with @fastify/jwt, and Prisma's client for each request. */
const { customer } = await openPrisma()
const fastify = Fastify()
const pem = key.export({ type: 'spki', format: 'pem' })
await fastify.register(fastifyJwt, { secret: { public: pem }, verify: { algorithms: ['ES256'], allowedIss: issuer, allowedAud: audience } })
fastify.addHook('onRequest', request => request.jwtVerify())

const isMissing = ({ code }) => code === 'P2025'
const schema = {
  body: {
    type: 'object',
    required: ['name', 'age', 'address'],
    properties: {
      id: { type: 'integer', minimum: 1 },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      address: { type: 'string', minLength: 1, maxLength: 200 }
    }
  }
}

fastify.get('/customers/:id', async ({ params }, reply) => {
  const found = await customer.findUnique({ where: { id: Number(params.id) } })
  return found ?? reply.code(404).send()
})
fastify.post('/customers', { schema }, async ({ body }, reply) => {
  return reply.code(201).send(await customer.create({ data: { ...body, nameKey: body.name, version: 1 } }))
})
fastify.put('/customers/:id', { schema }, async ({ params, body: { name, age, address } }) => {
  return await customer.update({ where: { id: Number(params.id) }, data: { name, age, address } })
})
fastify.delete('/customers/:id', async ({ params }, reply) => {
  await customer.delete({ where: { id: Number(params.id) } })
  return reply.code(204).send()
})
fastify.setErrorHandler((error, request, reply) => isMissing(error) ? reply.code(404).send() : reply.send(error))

await fastify.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
