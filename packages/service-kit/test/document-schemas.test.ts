import t from 'tap'
import { documentSchemas } from '../src/document-schemas.js'

const user = { title: 'User', type: 'object', properties: { title: { type: 'string' } } }
const named = { type: 'object', properties: { title: { type: 'string' } } }
const answer = (schema: object) => ({ get: { responses: { 200: { content: { json: { schema, examples: { one: { title: 'Dr' } } } } } } } })

t.test('a schema with a title is in the document once, and others refer to it', async t => {
  const list = { title: 'UserPage', type: 'object', properties: { items: { type: 'array', items: user } } }
  const bearer = { type: 'http' }
  const document = { components: { securitySchemes: { bearer } }, paths: { '/one': answer(user), '/all': answer(list), '/other': answer(named) } }
  t.same(documentSchemas(document), {
    components: {
      securitySchemes: { bearer },
      schemas: {
        User: named,
        UserPage: { type: 'object', properties: { items: { type: 'array', items: { $ref: '#/components/schemas/User' } } } }
      }
    },
    paths: {
      '/one': answer({ $ref: '#/components/schemas/User' }),
      '/all': answer({ $ref: '#/components/schemas/UserPage' }),
      '/other': answer(named)
    }
  })
})

t.test('two schemas cannot have the same title', async t => {
  const paths = { '/one': answer(user), '/other': answer({ ...user, type: 'array' }) }
  t.throws(() => documentSchemas({ paths }), { message: 'Two schemas have the title User.' })
})
