import OAuth2Server from '@node-oauth/oauth2-server'
import express from 'express'
import { randomBytes } from 'node:crypto'
import { CALLBACK, CLIENT, PERSON, PORT } from './registrations.js'

/** @node-oauth/oauth2-server on Express; its model is maps. */
const clients = new Map([[CLIENT, { id: CLIENT, grants: ['authorization_code'], redirectUris: [CALLBACK] }]])
const codes = new Map()
const sessions = new Map()

const server = new OAuth2Server({
  model: {
    getClient: id => clients.get(id),
    getAccessToken: () => undefined,
    getAuthorizationCode: code => codes.get(code),
    saveToken: token => token,
    revokeAuthorizationCode: ({ authorizationCode }) => codes.delete(authorizationCode),
    saveAuthorizationCode: (code, client, user) => {
      const saved = { ...code, client, user }
      codes.set(code.authorizationCode, saved)
      return saved
    }
  }
})
const authenticateHandler = { handle: ({ headers }) => sessions.get(headers.cookie) }

const app = express()
app.get('/authorize', async (request, response) => {
  const answer = new OAuth2Server.Response(response)
  await server.authorize(
    new OAuth2Server.Request({ ...request, method: request.method, headers: request.headers, query: request.query, body: {} }),
    answer,
    { authenticateHandler }
  )
  response.set(answer.headers).status(answer.status).end()
})
app.post('/sign-in', (request, response) => {
  const id = randomBytes(32).toString('base64url')
  sessions.set(`session=${id}`, { id: PERSON })
  response.cookie('session', id, { httpOnly: true }).end()
})

app.listen(Number(PORT), '127.0.0.1')
