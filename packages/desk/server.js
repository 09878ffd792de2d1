// Serves the files in public/ and the addresses of the two services. It never sees a token: the implicit grant's
// response is in the URL fragment, which browsers do not send, and a code is useless without its code_verifier.
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

const {
  PORT = '3002',
  HOST = '127.0.0.1',
  ISSUER = 'http://localhost:3000',
  CUSTOMER_URL = 'http://localhost:3001',
  CLIENT_ID = 'demo-app'
} = process.env

/** Exits with a message instead of a stack trace. */
function refuse (sentence) {
  console.error(sentence)
  process.exit(1)
}

if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65535) refuse(`PORT is "${PORT}". Set it to a number from 0 to 65535.`)
for (const [name, value] of Object.entries({ ISSUER, CUSTOMER_URL })) {
  if (!/^https?:/.test(value) || !URL.canParse(value)) refuse(`${name} is "${value}". Set it to an http or https address.`)
}

// No inline scripts or styles, no other origins, and only lit-html's templates can build DOM from strings.
// No Cross-Origin-Opener-Policy on purpose: it would separate the sign-in popup from the page that opened it.
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${new URL(ISSUER).origin} ${new URL(CUSTOMER_URL).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html'
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff'
}

const app = Fastify({ forceCloseConnections: true })
app.addHook('onSend', async (request, reply) => { reply.headers(headers) })
app.register(fastifyStatic, { root: join(import.meta.dirname, 'public') })
// The shared design, the rendering library, and the register's client are served unchanged: there is no build step.
const design = dirname(fileURLToPath(import.meta.resolve('@frontdesk/design/tokens.css')))
app.register(fastifyStatic, { root: design, prefix: '/design/', decorateReply: false })
const lit = join(dirname(fileURLToPath(import.meta.resolve('lit-html/is-server.js'))), '..')
app.register(fastifyStatic, { root: lit, prefix: '/lit/', decorateReply: false })
// The page signs in with the files of the example that others copy.
const signIn = dirname(fileURLToPath(import.meta.resolve('@frontdesk/browser-app/oauth.js')))
app.register(fastifyStatic, { root: signIn, prefix: '/sign-in/', decorateReply: false })
const client = fileURLToPath(import.meta.resolve('@frontdesk/customer-client'))
app.get('/customer-client.js', (request, reply) => reply.sendFile(basename(client), dirname(client)))
app.get('/callback', (request, reply) => reply.sendFile('index.html'))
app.get('/config.json', (request, reply) => {
  reply.header('Cache-Control', 'no-store')
  return { issuer: ISSUER, customerUrl: CUSTOMER_URL, clientId: CLIENT_ID }
})

app.setNotFoundHandler((request, reply) => fail(request, reply, 404, 'This page does not exist', 'Check the address.'))
app.setErrorHandler(({ statusCode = 500 }, request, reply) => statusCode < 500
  ? fail(request, reply, statusCode, 'The request is not valid', 'Check the address.')
  : fail(request, reply, 500, 'Something went wrong', 'Try again in a moment.'))

/** Sends an error as a page to browsers, and as JSON to programs. */
function fail (request, reply, statusCode, title, advice) {
  reply.code(statusCode)
  if (!request.headers.accept?.includes('text/html')) return reply.send({ statusCode, message: `${title}. ${advice}` })
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Frontdesk</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/design/tokens.css">
  <link rel="stylesheet" href="/design/base.css">
  <link rel="stylesheet" href="/styles/controls.css">
  <link rel="stylesheet" href="/styles/desk.css">
</head>
<body>
  <main class="welcome"><section>
    <img src="/icon.svg" alt="" width="40" height="40">
    <h1>${title}</h1>
    <p>${advice}</p>
    <p><a href="/">Go to the customer register</a></p>
  </section></main>
</body>
</html>`)
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => app.close().then(() => process.exit(0)))
}

try {
  await app.listen({ port: Number(PORT), host: HOST })
  console.log(`The desk is at http://localhost:${app.server.address().port}`)
} catch (error) {
  refuse(error.code === 'EADDRINUSE'
    ? `Port ${PORT} on ${HOST} is taken. Set PORT to a free one.`
    : `The desk cannot listen on ${HOST}, port ${PORT}: ${error.message}`)
}
