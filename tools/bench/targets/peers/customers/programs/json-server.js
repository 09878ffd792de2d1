import { expressjwt } from 'express-jwt'
import jsonServer from 'json-server'
import { audience, issuer, key } from './key.js'

/** json-server as a module, with express-jwt; it writes the whole file on each change. */
const server = jsonServer.create()
server.use(jsonServer.defaults())
server.use(expressjwt({ secret: key, algorithms: ['ES256'], issuer, audience }))
server.use(jsonServer.router(process.env.DATABASE_FILE))
server.listen(Number(process.env.PORT), '127.0.0.1')
