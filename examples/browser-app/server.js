// Serves the page, its settings, and a strict Content-Security-Policy. Any static file server can do this. It never sees a
// token: the implicit grant's token is in the URL's fragment, which browsers do not send, and a code is useless without its verifier.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

const {
  PORT = '8080',
  ISSUER = 'http://localhost:3000',
  CUSTOMER_URL = 'http://localhost:3001',
  CLIENT_ID = 'my-page',
  SCOPE = 'customer:read'
} = process.env

/** Exits with a sentence instead of a stack trace. */
function refuse (sentence) {
  console.error(sentence)
  process.exit(1)
}

if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65535) refuse(`PORT is "${PORT}". Set it to a number from 0 to 65535.`)
for (const [name, value] of Object.entries({ ISSUER, CUSTOMER_URL })) {
  if (!/^https?:\/\/[^?#]+$/.test(value) || !URL.canParse(value)) refuse(`${name} is "${value}". Set it to an http or https address.`)
}
for (const [name, value] of Object.entries({ CLIENT_ID, SCOPE })) if (value.trim() === '') refuse(`${name} is empty. Set it, or remove it.`)

const app = Fastify({ forceCloseConnections: true })
app.addHook('onSend', async (request, reply) => {
  reply.headers({
    'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
      `connect-src 'self' ${new URL(ISSUER).origin} ${new URL(CUSTOMER_URL).origin}`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff'
  })
})
app.register(fastifyStatic, { root: join(import.meta.dirname, 'public') })
app.get('/callback', (request, reply) => reply.sendFile('index.html'))
app.get('/config.json', async () => ({ issuer: ISSUER, customerUrl: CUSTOMER_URL, clientId: CLIENT_ID, scope: SCOPE }))

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())
try {
  await app.listen({ port: Number(PORT), host: '127.0.0.1' })
  console.log(`The page is at http://localhost:${app.server.address().port}`)
} catch (error) {
  refuse(error.code === 'EADDRINUSE'
    ? `Port ${PORT} is already in use. Set PORT to a free port.`
    : `Can't listen on port ${PORT}: ${error.message}`)
}
