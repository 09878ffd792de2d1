import { PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { kinds } from '../../../src/problems/index.js'
import { PATH, buildOnce } from '../../support/helper.js'

t.test('every problem type resolves to a page with cause, fix and an example', async t => {
  const { send } = await buildOnce(t)
  const list = (await send('GET', '/problems', { token: null })).body
  t.equal((await send('GET', '/problems/nonsense', { token: null })).statusCode, 404)
  for (const { name, status, title, cause, fix } of kinds) {
    const { statusCode, headers, body } = await send('GET', `/problems/${name}`, { token: null })
    t.equal(statusCode, 200, name)
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    t.match(headers['content-security-policy'], /^default-src 'none'; style-src 'sha256-/)
    for (const text of [title, cause, fix, `Status ${status}`]) t.ok(body.includes(text), `${name}: ${text}`)
    t.match(body, new RegExp(`/problems/${name}`), 'the example shows the answer')
    t.match(body, '<a href="/docs">API reference</a>')
    t.ok(list.includes(`href="/problems/${name}"`), `${name} is in the list`)
    t.match(body, /<header>.*Frontdesk<\/p><\/header>/s)
  }
  const entries = [...list.matchAll(/<li><a[^>]*>([^<]*)/g)].map(([, entry]) => entry)
  t.same(entries, [...entries].sort(), 'by status, then by title')
})

t.test('every file of problems/ is in the list, and every name is there once', async t => {
  const folder = new URL('../../../../src/problems/', import.meta.url)
  const defined = readdirSync(folder).flatMap(file =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/= define\('([a-z-]+)'/g)].map(([, name]) => name)
  )
  t.same(kinds.map(({ name }) => name).sort(), defined.sort())
  t.equal(new Set(defined).size, defined.length)
})

t.test('a problem has type, title, status, detail, instance and requestId, and no secrets', async t => {
  const { send } = await buildOnce(t)
  const answer = await send('GET', `${PATH}/404?access_token=secret`, { headers: { 'x-request-id': 'my-request.1' } })
  t.equal(answer.headers['content-type'], `${PROBLEM_MEDIA_TYPE}; charset=utf-8`)
  t.equal(answer.headers['x-request-id'], 'my-request.1')
  t.same(answer.json(), {
    type: 'http://localhost:3001/problems/customer-unknown',
    title: 'Customer not found',
    status: 404,
    detail: 'There is no customer with the identifier 404.',
    instance: `${PATH}/404`,
    requestId: 'my-request.1'
  })
})

t.test('a mistake in the service is a 500 that says nothing but its requestId, and the log has the reason', async t => {
  const { send, customers, log } = await buildOnce(t)
  customers.find = async () => { throw new Error('SELECT secret FROM /etc/passwd') }
  const answer = await send('GET', `${PATH}/1`)
  t.equal(answer.statusCode, 500)
  t.notMatch(answer.body, /SELECT|secret|passwd|\.js|at /)
  const { requestId } = answer.json()
  t.ok(log.some(line => line.includes(requestId) && line.includes('SELECT secret')))
})

t.test('/.well-known/oauth-protected-resource names resource, authorization server and scopes (RFC 9728)', async t => {
  const { send, issuer } = await buildOnce(t)
  const answer = await send('GET', '/.well-known/oauth-protected-resource', { token: null })
  t.same(answer.json(), {
    resource: issuer.audience,
    authorization_servers: [issuer.url],
    scopes_supported: ['customer:read', 'customer:write', 'customer:delete'],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519']
  })
})

t.test('/openapi.json describes every route in OpenAPI 3.1, with a security scheme for each flow', async t => {
  const { send, issuer, http } = await buildOnce(t)
  const document = (await send('GET', '/openapi.json', { token: null })).json()
  t.equal(document.openapi, '3.1.0')
  const { code, implicit: { flows: { implicit } }, clientCredentials, bearer } = document.components.securitySchemes
  t.equal(clientCredentials.flows.clientCredentials.tokenUrl, `${issuer.url}/token`)
  t.match(bearer, { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
  const { authorizationCode } = code.flows
  t.equal(implicit.authorizationUrl, `${issuer.url}/authorize`)
  t.match(authorizationCode, { authorizationUrl: `${issuer.url}/authorize`, tokenUrl: `${issuer.url}/token` })
  t.same(Object.keys(authorizationCode.scopes), ['customer:read', 'customer:write', 'customer:delete'])
  const operations: Array<[path: string, method: string, scope: string | undefined, statuses: string]> = [
    [PATH, 'post', 'customer:write', '201 400 401 403 409 413 415 422 429 500 503'],
    [PATH, 'put', 'customer:write', '204 400 401 403 404 409 412 413 415 428 429 500 503'],
    [`${PATH}/{customerid}`, 'get', 'customer:read', '200 304 400 401 403 404 406 410 413 429 500 503'],
    [`${PATH}/{customerid}/history`, 'get', 'customer:read', '200 400 401 403 404 413 429 500 503'],
    [`${PATH}/{customerid}/history/{version}/restore`, 'post', 'customer:write', '201 204 400 401 403 404 409 410 412 413 415 428 429 500 503'],
    [`${PATH}/bulk`, 'post', 'customer:write', '200 400 401 403 413 415 429 500 503'],
    [`${PATH}/operations/{operation}/undo`, 'post', 'customer:write customer:delete', '200 400 401 403 404 409 413 415 429 500 503'],
    [`${PATH}/operations`, 'get', 'customer:read', '200 400 401 403 413 429 500 503'],
    [`${PATH}/duplicates`, 'get', 'customer:read', '200 400 401 403 413 429 500 503'],
    [`${PATH}/duplicates/dismiss`, 'post', 'customer:write', '204 400 401 403 404 410 413 415 429 500 503'],
    [`${PATH}/{customerid}/merge`, 'post', 'customer:write customer:delete', '200 400 401 403 404 410 412 413 415 428 429 500 503'],
    [`${PATH}/removed`, 'get', 'customer:read', '200 400 401 403 413 429 500 503'],
    [`${PATH}/{customerid}/export`, 'get', 'customer:read', '200 401 403 404 413 429 500 503'],
    [`${PATH}/{customerid}/erase`, 'post', 'customer:delete', '200 400 401 403 404 410 412 413 415 428 429 500 503'],
    [`${PATH}/{customerid}`, 'delete', 'customer:delete', '204 400 401 403 404 410 412 413 428 429 500 503'],
    [`${PATH}/{customerid}`, 'put', 'customer:write', '201 204 400 401 403 404 410 412 413 415 428 429 500 503'],
    [`${PATH}/{customerid}`, 'patch', 'customer:write', '204 400 401 403 404 410 412 413 415 428 429 500 503'],
    ['/health/live', 'get', undefined, '200 503'],
    ['/health/ready', 'get', undefined, '200 503'],
    ['/.well-known/oauth-protected-resource', 'get', undefined, '200']
  ]
  for (const [path, method, scope, statuses] of operations) {
    const operation = document.paths[path][method]
    t.equal(Object.keys(operation.responses).join(' '), statuses, `${method} ${path}`)
    t.ok(operation.summary && document.tags.some(({ name }: { name: string }) => name === operation.tags[0]), `${method} ${path}`)
    for (const [status, { content }] of Object.entries<{ content?: Record<string, { examples: object }> }>(operation.responses)) {
      const examples = content?.[PROBLEM_MEDIA_TYPE]?.examples ?? {}
      t.equal(Object.keys(examples).length > 0, scope !== undefined && Number(status) >= 400, `${method} ${path} ${status} has examples`)
      for (const name of Object.keys(examples)) t.equal(kinds.find(kind => kind.name === name)?.status, Number(status))
    }
    const scopes = scope?.split(' ')
    t.same(
      operation.security,
      scopes === undefined ? [] : [{ code: scopes }, { implicit: scopes }, { clientCredentials: scopes }, { bearer: [] }]
    )
  }
  t.same(Object.keys(document.paths[PATH].post.requestBody.content), ['application/x-www-form-urlencoded'])
  t.same(Object.keys(document.paths[`${PATH}/{customerid}`].patch.requestBody.content), [
    'application/merge-patch+json',
    'application/json',
    'application/x-www-form-urlencoded'
  ])
  const described = Object.keys(document.paths).map(path => path.replace(/{(\w+)}/g, ':$1'))
  t.same(
    [...http.allowedMethods.keys()].filter(path => path !== '/' && path !== '/favicon.ico' && !path.startsWith('/docs/static/')).sort(),
    described.sort(),
    'no route is missing'
  )
})

t.test('every operation of /openapi.json has an operationId of its own, also below a prefix', async t => {
  for (const SERVICE_ROOT of ['', 'https://api.example/crm']) {
    const { send, config } = await buildOnce(t, { SERVICE_ROOT })
    const { paths, servers } = (await send('GET', `${config.prefix}/openapi.json`, { token: null })).json()
    const ids = Object.values<Record<string, { operationId?: string }>>(paths).flatMap(path =>
      Object.values(path).map(({ operationId }) => operationId)
    )
    for (const id of ids) t.match(id, /^[a-z][A-Za-z]+$/)
    t.equal(new Set(ids).size, ids.length, 'no two are the same')
    t.same(servers.map(({ url }: { url: string }) => url), [SERVICE_ROOT === '' ? '/' : 'https://api.example'])
    for (const path of [
      `${config.prefix}${PATH}`,
      `/.well-known/oauth-protected-resource${config.prefix}`,
      `${config.prefix}/health/ready`
    ]) { t.ok(paths[path], 'server and path make the address') }
  }
})
