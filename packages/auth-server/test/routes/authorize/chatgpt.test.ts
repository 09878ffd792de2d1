import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { CHATGPT } from '../../support/assistants.js'
import { codeQuery, exchangeForm, form, post, queryOf } from '../../support/code-flow.js'
import { website } from '../../support/document-website.js'
import { Browser, build } from '../../support/helper.js'
import { register } from '../../support/registration-flow.js'

const [callback = ''] = CHATGPT.redirect_uris
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A website with the document and the keys, and assertions that these sign. */
async function prepare (t: Test) {
  const site = await website(t)
  const jwksUri = `${site.origin}/oauth/jwks.json`
  const publish = async (kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const jwks = { keys: [{ ...await exportJWK(publicKey), kid, alg: 'RS256', use: 'sig' }] }
    site.pages.set('/oauth/jwks.json', response => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(jwks)))
    return async (id: string) => ({
      client_assertion_type: TYPE,
      client_assertion: await new SignJWT({ iss: id, sub: id, aud: 'https://id.example/token', jti: randomUUID() }).setProtectedHeader({ alg: 'RS256', kid })
        .setIssuedAt().setExpirationTime('5m').sign(privateKey)
    })
  }
  return { ...site, jwksUri, publish }
}

t.test('ChatGPT signs in with its metadata document: it proves its key, which it can replace, and never does without', async t => {
  const { put, jwksUri, publish, asked } = await prepare(t)
  const { app, stores } = await build(t, { CLIENT_METADATA_DOCUMENTS: 'on', ALLOW_PRIVATE_NETWORKS: 'true', MCP_RESOURCES: 'https://mcp.example/mcp' })
  const prove = await publish('cimd-1')
  const id = put('/oauth/client.json', { ...CHATGPT, jwks_uri: jwksUri })
  const asks = codeQuery({ client_id: id, redirect_uri: callback, resource: 'https://mcp.example/mcp', scope: 'x' })
  const { code = '' } = queryOf(await new Browser(app).allow(asks))
  t.match((await stores.clients.list()).find(it => it.id === id), { name: 'ChatGPT', tokenEndpointAuthMethod: 'private_key_jwt', jwksUri, jwks: null, logoName: null })
  const exchange = (more: Record<string, string>) => exchangeForm(code, { client_id: id, redirect_uri: callback, resource: 'https://mcp.example/mcp', ...more })
  t.match((await post(app, '/token', exchange({}))).json(), { error: 'invalid_client' }, 'without a proof')
  const tokens = await post(app, '/token', exchange(await prove(id)))
  t.equal(tokens.statusCode, 200, tokens.body)
  const refresh = async (more: Record<string, string>) =>
    await post(app, '/token', form({ grant_type: 'refresh_token', client_id: id, refresh_token: tokens.json().refresh_token, ...more }))
  t.equal((await refresh({})).statusCode, 401)
  t.equal((await refresh(await prove(id))).statusCode, 200)
  t.same(asked, ['/oauth/client.json', '/oauth/jwks.json'])
  put('/oauth/client.json', { ...CHATGPT, token_endpoint_auth_method: 'none', token_endpoint_auth_methods_supported: ['none'] })
  const row = (await stores.clients.read(id))!
  await stores.clientDocuments.renew({ ...row, documentFreshUntil: new Date(Date.now() - 1) })
  await stores.clients.setDisabled(id, null)
  t.equal((await refresh({})).statusCode, 401, 'a document that gives the keys up')
  t.match(await stores.clients.read(id), { tokenEndpointAuthMethod: 'private_key_jwt' })
})

t.test('the same metadata registers ChatGPT at /register', async t => {
  const { jwksUri, publish } = await prepare(t)
  const { app } = await build(t, { REGISTRATION: 'open', ALLOW_PRIVATE_NETWORKS: 'true' })
  const prove = await publish('cimd-1')
  const answer = await register(app, { ...CHATGPT, jwks_uri: jwksUri })
  t.match({ status: answer.statusCode, ...answer.json() }, { status: 201, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: jwksUri })
  t.notOk('client_secret' in answer.json())
  const { client_id: id } = answer.json()
  const { code = '' } = queryOf(await new Browser(app).allow(codeQuery({ client_id: id, redirect_uri: callback, scope: 'x' })))
  const exchange = (more: Record<string, string>) => exchangeForm(code, { client_id: id, redirect_uri: callback, ...more })
  t.equal((await post(app, '/token', exchange({}))).statusCode, 401)
  t.equal((await post(app, '/token', exchange(await prove(id)))).statusCode, 200)
})
