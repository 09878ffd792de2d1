import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { read } from '../support/sources.js'
import { root, startStack } from '../support/stack.js'
import { breakingChanges } from '../support/contract/breaking.js'
import { renderImportMessages, renderMessages, renderOperationMessages, renderProblems, type Api } from '../support/contract/client-messages.js'
import { dereferenced } from '../support/openapi/dereferenced.js'
import { committed, isWriting, upToDate } from '../support/contract/committed.js'

const stack = await startStack(t, ['auth-server', 'customer-service'])

for (const service of ['auth-server', 'customer-service'] as const) {
  await t.test(`the API of ${service} is the one that is written down, or more`, async t => {
    const text = await (await fetch(`${stack.address(service)}/openapi.json`)).text()
    // as: both services serve an object. The addresses are this run's.
    const { servers, ...api } = JSON.parse(text
      .replaceAll(stack.address('auth-server'), 'http://localhost:3000')
      .replaceAll(stack.address('customer-service'), 'http://localhost:3001')) as Record<string, unknown>
    const file = `openapi/${service}.json`
    const before = await committed(file)
    const broken = before === undefined
      ? []
      : breakingChanges(await dereferenced(JSON.parse(before) as object), await dereferenced(api))
    // What breaks clients is never written by the way.
    const mayWrite = broken.length === 0 || (isWriting && process.env.BREAKING === 'yes')
    if (mayWrite) return await upToDate(t, file, api)
    t.same(broken, [], 'nothing that clients rely on is gone or narrower; if that is meant, run npm run contracts -- --breaking')
  })
}

await t.test('the messages of the client are those of the API', async t => {
  // as: this service's document.
  const api = await dereferenced(JSON.parse((await committed('openapi/customer-service.json'))!) as Api)
  const files = {
    messages: renderMessages(api),
    'import-messages': renderImportMessages(api),
    'operation-messages': renderOperationMessages(api),
    'problem-messages': renderProblems(api)
  }
  for (const [name, messages] of Object.entries(files)) {
    const file = `packages/customer-client/src/${name}.ts`
    if (isWriting) await writeFile(join(root, file), messages)
    t.equal(read(file), messages, 'if the change is meant, run npm run contracts')
  }
})

await t.test('breaking and additive changes are told apart', async t => {
  const api = (get: object, more: object = {}) => ({ paths: { '/a': { get, ...more } } })
  const answer = (schema: object) => ({ responses: { 200: { content: { 'application/json': { schema } } } } })
  const asked = (schema: object, required = false) => ({ requestBody: { required, content: { form: { schema } } }, responses: {} })
  const parameter = (required: boolean, type = 'string') => ({ parameters: [{ name: 'q', in: 'query', required, schema: { type } }] })
  const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
  const string = { type: 'string' }
  const table: Array<[before: object, now: object, sentences: string[]]> = [
    [api({}, { post: {} }), api({}), ['/a: post is gone.']],
    [api({}), { paths: {} }, ['/a is gone.']],
    [api({}), api({}, { post: {} }), []],
    [api(parameter(false)), api(parameter(true)), ['GET /a: the parameter q in query is required now.']],
    [api(parameter(true)), api({}), ['GET /a: the parameter q in query is gone.']],
    [api({}), api(parameter(false)), []],
    [api(parameter(false)), api(parameter(false, 'integer')), ['GET /a, parameter q in query: the type was string and is integer.']],
    [
      api(answer(object({ a: string, b: string }))), api(answer(object({ a: string }))),
      ['GET /a, answer 200 application/json: the member b is gone.']
    ],
    [api(answer(object({ a: string }))), api(answer(object({ a: string, b: string }, ['b']))), []],
    [
      api(answer(object({ a: string }, ['a']))), api(answer(object({ a: string }))),
      ['GET /a, answer 200 application/json: the member a may be missing now.']
    ],
    [api(asked(object({ a: string }))), api(asked(object({ a: string }, ['a']))), ['GET /a, request form: the member a is required now.']],
    [api(asked(object({}))), api(asked(object({}), true)), ['GET /a: the body is required now.']],
    [
      api(answer({ enum: ['x'] })), api(answer({ enum: ['x', 'y'] })),
      ['GET /a, answer 200 application/json: enum was ["x"] and is ["x","y"].']
    ],
    [
      api(answer({ type: 'array', items: string })), api(answer({ type: 'array', items: { type: 'integer' } })),
      ['GET /a, answer 200 application/json, each: the type was string and is integer.']
    ],
    [
      api({ responses: { 200: { headers: { ETag: {} } }, 404: {} } }), api({ responses: { 200: {} } }),
      ['GET /a, answer 200: header ETag is gone.', 'GET /a: answer 404 is gone.']
    ],
    [api(answer(object({ a: string, b: string }, ['a']))), api(answer({ type: 'object', allOf: [object({ a: string }, ['a']), object({ b: string })] })), []],
    [api(answer({ ...string, description: 'a' })), api(answer({ ...string, description: 'b' })), []]
  ]
  for (const [before, now, sentences] of table) t.same(breakingChanges(before, now), sentences)
})
