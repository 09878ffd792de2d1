import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { documents, registrations } from '../../support/assistants.js'
import { codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { refresh } from '../../support/directory.js'
import { website } from '../../support/document-website.js'
import { Browser, build, type Built } from '../../support/helper.js'
import { register } from '../../support/registration-flow.js'

const MCP = 'https://api.example/mcp'
const env = { MCP_RESOURCES: MCP, CALLBACK_SCHEMES: 'cursor' }

/** Signs Ann in at an assistant: it gets tokens for the MCP server, and new ones for its refresh token. */
async function signIn (
  t: Test, { app }: Built, { id, callback, secret }: { id: string, callback: string, secret?: string }
) {
  const client = { client_id: id, ...secret !== undefined && { client_secret: secret } }
  const search = codeQuery({ client_id: id, redirect_uri: callback, resource: MCP, scope: undefined })
  const answer = await new Browser(app).allow(search)
  t.ok(String(answer.headers.location).startsWith(`${callback}?`), answer.body)
  const exchange = exchangeForm(queryOf(answer).code ?? '', { ...client, redirect_uri: callback, resource: MCP })
  const tokens = (await post(app, '/token', exchange)).json()
  t.match(tokens, { token_type: 'Bearer', scope: /^customer:read$/, refresh_token: /./ })
  t.match(decodeJwt(tokens.access_token), { aud: MCP, client_id: id })
  const refreshed = await refresh(app, id, tokens.refresh_token, { ...client, resource: MCP })
  t.equal(decodeJwt(refreshed.access_token!).aud, MCP)
}

t.test('assistants sign in with the documents that they publish', async t => {
  const built = await build(t, { ...env, CLIENT_METADATA_DOCUMENTS: 'on', ALLOW_PRIVATE_NETWORKS: 'true' })
  const { put } = await website(t)
  for (const [index, [name, { metadata, callback }]] of Object.entries(documents).entries()) {
    await t.test(name, async t => await signIn(t, built, { id: put(`/${index}/client.json`, metadata), callback }))
  }
})

t.test('assistants register themselves, and sign in', async t => {
  const built = await build(t, { ...env, REGISTRATION: 'open' })
  for (const [name, { metadata, callback }] of Object.entries(registrations)) {
    await t.test(name, async t => {
      const answer = await register(built.app, metadata)
      t.equal(answer.statusCode, 201, answer.body)
      const { client_id: id, client_secret: secret, grant_types: grants } = answer.json()
      t.same(grants, ['authorization_code', 'refresh_token'])
      await signIn(t, built, { id, callback, secret })
    })
  }
})

t.test('the callback of Cursor is refused with its reason until its scheme is allowed', async t => {
  const { app } = await build(t, { MCP_RESOURCES: MCP, REGISTRATION: 'open' })
  t.match((await register(app, registrations.Cursor!.metadata)).json(), {
    error: 'invalid_redirect_uri',
    error_description: /^redirect_uris\[0\] \(cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\): The scheme of the callback must be https/
  })
})
