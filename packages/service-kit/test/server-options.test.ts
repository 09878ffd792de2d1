import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t from 'tap'
import { serverOptions } from '../src/server-options.js'

t.test('every part of a request is validated, from the first request on, also in a plugin', async t => {
  const fastify = Fastify(serverOptions({ trustProxy: false, logLevel: 'silent' }, { requestTimeout: 10_000, service: 'test' }))
  const schema = {
    params: Type.Object({ id: Type.String({ pattern: '^[a-z]+$' }) }),
    querystring: Type.Object({ limit: Type.Optional(Type.Integer({ default: 10 })) }),
    headers: Type.Object({ 'x-tag': Type.Optional(Type.String({ maxLength: 3 })) }),
    body: Type.Object({ name: Type.String() })
  }
  await fastify.register(async plugin => {
    plugin.post('/things/:id', { schema }, async ({ params, query, body }) => ({ params, query, body }))
  })
  const post = async (url: string, body: object, headers = {}) => await fastify.inject({ method: 'POST', url, body, headers })
  const refusals = [
    ['/things/1', { name: 'A' }, {}, 'params/id must match pattern "^[a-z]+$"'],
    ['/things/a?limit=x', { name: 'A' }, {}, 'querystring/limit must be integer'],
    ['/things/a', { name: 'A' }, { 'X-Tag': 'long' }, 'headers/x-tag must NOT have more than 3 characters'],
    ['/things/a', {}, {}, "body must have required property 'name'"]
  ] as const
  for (const use of ['compiled', 'used again']) {
    for (const [url, body, headers, message] of refusals) {
      const response = await post(url, body, headers)
      t.equal(response.statusCode, 400, use)
      t.equal(response.json().message, message)
    }
    const response = await post('/things/a', { name: 'A' }, { 'x-tag': 'abc' })
    t.same(response.json(), { params: { id: 'a' }, query: { limit: 10 }, body: { name: 'A' } }, 'with defaults and types')
  }
})
