import t from 'tap'
import { kinds } from '../../../src/problems/index.js'
import { buildOnce } from '../../support/helper.js'

t.test('llms.txt leads to every document, below the path of SERVICE_ROOT', async t => {
  for (const [root, prefix] of [['', ''], ['https://api.example/below', '/below']] as const) {
    const { send } = await buildOnce(t, { SERVICE_ROOT: root })
    const list = await send('GET', `${prefix}/llms.txt`, { token: null })
    t.equal(list.headers['content-type'], 'text/plain; charset=utf-8')
    t.match(list.body, /^# Customer register\n\n> .+\n\n## Documentation\n\n- \[/)
    const links = [...list.body.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url ?? '')
    t.equal(links.length, 4)
    for (const url of links) t.equal((await send('GET', url, { token: null })).statusCode, 200, url)
  }
})

t.test('the API reference in Markdown has every operation', async t => {
  const { send } = await buildOnce(t)
  const { headers, body } = await send('GET', '/docs.md', { token: null })
  t.equal(headers['content-type'], 'text/markdown; charset=utf-8')
  const { paths } = (await send('GET', '/openapi.json', { token: null })).json()
  for (const [path, methods] of Object.entries<Record<string, { summary: string }>>(paths)) {
    for (const [method, { summary }] of Object.entries(methods)) {
      t.ok(body.includes(`### ${summary}\n\n\`${method.toUpperCase()} ${path}\`\n`), `${method} ${path}`)
    }
  }
  t.match(body, 'Scopes: `customer:write`.')
  t.match(body, '- `idempotency-key` (header, string): ')
  t.match(body, 'Body: `application/x-www-form-urlencoded`:\n\n- `customerid` (integer, required): ')
  t.match(body, /```sh\nprintf .*curl/)
  t.notMatch(body, /undefined|\[object/)
})

t.test('the samples call the address of the service', async t => {
  for (const env of [{ AUDIENCE: 'http://localhost:4001' }, { AUTH: 'none', PORT: '4001' }]) {
    const { send } = await buildOnce(t, env)
    const { body } = await send('GET', '/docs.md', { token: null })
    t.same(new Set(body.match(/http:\/\/localhost:\d+/g)), new Set(['http://localhost:4001']), JSON.stringify(env))
  }
})

t.test('each kind of problem is explained in Markdown', async t => {
  const { send } = await buildOnce(t)
  const list = await send('GET', '/problems.md', { token: null })
  for (const { name, status } of kinds) {
    t.match(list.body, `](/problems/${name}.md)`)
    const page = await send('GET', `/problems/${name}.md`, { token: null })
    t.match([page.statusCode, page.headers['content-type']], [200, 'text/markdown; charset=utf-8'], name)
    t.match(page.body, `\nStatus ${status}\n\n## Why it happens\n\n`)
    t.match(page.body, `/problems/${name}"`, 'the example shows the answer')
  }
  t.equal((await send('GET', '/problems/nothing.md', { token: null })).statusCode, 404)
})

t.test('without the reference, the list does not lead there', async t => {
  const { send } = await buildOnce(t, { DOCS: 'off' })
  t.notMatch((await send('GET', '/llms.txt', { token: null })).body, 'docs.md')
  t.equal((await send('GET', '/docs.md', { token: null })).statusCode, 404)
})

t.test('with MCP=on, the list has the endpoint for assistants', async t => {
  const { send } = await buildOnce(t, { MCP: 'on', SERVICE_ROOT: 'https://api.example/below' })
  t.match((await send('GET', '/below/llms.txt', { token: null })).body, '](https://api.example/below/mcp): ')
})
