import { hash, verify } from '@node-rs/argon2'
import { createServer } from 'node:http'

/** Sequential password checks at the cost of auth-server, and little else: a form in, 303 out. */
const password = 'correct horse battery staple'
const stored = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
let turn = Promise.resolve()

createServer((request, response) => {
  request.resume().on('end', () => {
    turn = turn.then(() => verify(stored, password)).then(matches => {
      response.writeHead(matches ? 303 : 403, { location: 'https://shop.example/callback#access_token=none' }).end()
    })
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
