// Serves the page; any other server of static files does, too.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

const app = Fastify()
app.register(fastifyStatic, { root: join(import.meta.dirname, 'public') })
app.get('/callback', (request, reply) => reply.sendFile('index.html'))
await app.listen({ port: 8080 })
