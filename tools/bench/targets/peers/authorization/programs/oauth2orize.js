import express from 'express'
import session from 'express-session'
import jsonwebtoken from 'jsonwebtoken'
import { randomBytes, randomUUID } from 'node:crypto'
import oauth2orize from 'oauth2orize'
import { AUDIENCE, CALLBACK, CLIENT, PERSON, PORT, privateKey, URL } from './registrations.js'

/** oauth2orize on Express, with express-session in memory, where it keeps a request until it is decided. */
const clients = new Map([[CLIENT, { id: CLIENT, name: 'Shop', redirectUri: CALLBACK }]])
const tokens = new Map()

const server = oauth2orize.createServer()
server.serializeClient(({ id }, done) => done(null, id))
server.deserializeClient((id, done) => done(null, clients.get(id)))
server.grant(oauth2orize.grant.token((client, user, answer, asked, done) => {
  const jwtid = randomUUID()
  const claims = { client_id: client.id, scope: asked.scope.join(' ') }
  const options = { algorithm: 'ES256', keyid: 'one', issuer: URL, audience: AUDIENCE, subject: user.id, expiresIn: 600, jwtid }
  jsonwebtoken.sign(claims, privateKey, options, (error, token) => {
    if (error !== null) return done(error)
    tokens.set(jwtid, { client: client.id, user: user.id, at: Date.now() })
    done(null, token, { expires_in: 600 })
  })
}))

const app = express()
app.use(session({ secret: randomBytes(32).toString('hex'), resave: false, saveUninitialized: false }))
app.use(express.urlencoded({ extended: false }))

app.get('/authorize', server.authorization((id, redirectUri, done) => {
  const client = clients.get(id)
  done(null, client?.redirectUri === redirectUri ? client : false, redirectUri)
}), ({ oauth2 }, response) => response.redirect(`/consent?transaction_id=${oauth2.transactionID}`))

app.post('/consent', (request, response, next) => {
  if (request.session.user === undefined) return response.sendStatus(401)
  request.user = request.session.user
  next()
}, ...server.decision())

app.post('/sign-in', (request, response) => {
  request.session.user = { id: PERSON }
  response.sendStatus(204)
})
app.use(server.errorHandler())

app.listen(Number(PORT), '127.0.0.1')
