import { createServer } from 'node:http'

/** node:http with constant responses: 302 for /authorize, else 200 with a short text. */
createServer((request, response) => {
  if (request.url.startsWith('/authorize')) response.writeHead(302, { location: 'https://auth.example/consent' }).end()
  else response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': 10 }).end('Customer 1')
}).listen(Number(process.env.PORT), '127.0.0.1')
