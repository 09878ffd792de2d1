import t from 'tap'
import { codeClient, codeQuery, form } from '../support/code-flow.js'
import { buildConsole } from '../support/admin/console.js'
import { Browser, build } from '../support/helper.js'
import { actions, downloads, pages } from '../../src/routes/console/routes.js'

export const onBothDatabases = true

interface Operation {
  parameters?: Array<{ name: string, in: string }>
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
}

const FORM = 'application/x-www-form-urlencoded'

/** Fields of the forms that the API description does not have: those of pages. */
const FIELDS = ['transaction', 'decision', 'username', 'password', 'new_password', 'client', 'name', 'email', 'picture']

t.test('NUL, which PostgreSQL has no text for, is refused in every field of every form, and breaks no query', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  // as: the description of OpenAPI.
  const { paths } = (await app.inject('/openapi.json')).json() as { paths: Record<string, Record<string, Operation>> }
  let tried = 0
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      const body = requestBody?.content ?? { [FORM]: { schema: { properties: {} } } }
      const fields = Object.keys(body[FORM]?.schema.properties ?? {})
      for (const field of method === 'post' && FORM in body ? new Set([...fields, ...FIELDS]) : []) {
        const response = await new Browser(app).post(
          `${path}?${codeQuery()}`,
          path === '/authorize' ? codeQuery({ [field]: 'a\0' }) : form({ client_id: 'app', [field]: 'a\0' })
        )
        const isLegal = path === '/authorize' && [302, 303].includes(response.statusCode)
        t.ok(isLegal || response.statusCode === 400, `${method} ${path} ${field}: ${response.statusCode}`)
        tried++
      }
      for (const { name } of parameters.filter(it => it.in === 'query')) {
        const { statusCode } = await new Browser(app).get(`${path}?${codeQuery({ [name]: 'a\0' })}`)
        t.ok(statusCode < 500, `${method} ${path} ${name}: ${statusCode}`)
        tried++
      }
    }
  }
  t.ok(tried > 80, `${tried} fields`)
})

t.test('in the address of a page, a file or a form of the console, nothing is found', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  await root.open('')
  const [reads, forms] = [[...pages, ...downloads], actions].map(routes => routes.map(({ path }) => path).filter(path => path.includes(':')))
  t.ok(reads!.length > 5 && forms!.length > 5)
  for (const path of reads!) t.equal((await root.get(`/admin${path.replace(/:\w+/g, 'a%00')}`)).statusCode, 404, path)
  for (const path of forms!) t.equal((await root.post(`/admin${path.replace(/:\w+/g, 'a%00')}`, {})).statusCode, 404, path)
})
