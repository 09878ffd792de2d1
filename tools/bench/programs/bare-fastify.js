import Fastify from 'fastify'

/** Fastify with constant responses; reads forms and ignores them. */
const fastify = Fastify()
fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => { done(null, body) })
fastify.get('/authorize', (request, reply) => reply.redirect('https://auth.example/consent', 302))
fastify.get('/rest/qa/customer/:customerid', (request, reply) => reply.type('text/plain; charset=utf-8').send('Customer 1'))
fastify.post('/rest/qa/customer', (request, reply) => reply.code(201).send())
fastify.put('/rest/qa/customer', (request, reply) => reply.code(204).send())
await fastify.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
