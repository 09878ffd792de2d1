import t from 'tap'
import { problems } from '../../../src/oauth/problems.js'
import { build } from '../../support/helper.js'

t.test('llms.txt leads to every document, below the path of the issuer', async t => {
  for (const [issuer, prefix] of [['https://id.example', ''], ['https://id.example/tenant', '/tenant']] as const) {
    const { app } = await build(t, { ISSUER: issuer })
    const list = await app.inject(`${prefix}/llms.txt`)
    t.equal(list.headers['content-type'], 'text/plain; charset=utf-8')
    t.match(list.body, /^# Authorization server\n\n> .+\n\n## Documentation\n\n- \[/)
    const links = [...list.body.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url ?? '')
    t.equal(links.length, 4)
    for (const url of links) t.equal((await app.inject(url)).statusCode, 200, url)
  }
})

t.test('each kind of error is explained in Markdown, in English', async t => {
  const { app } = await build(t)
  const headers = { 'accept-language': 'de' }
  const list = await app.inject({ url: '/problems.md', headers })
  t.match(list.body, /^# [A-Z][a-z ]+\n\n/)
  for (const { name, status } of problems) {
    t.match(list.body, `](/problems/${name}.md)`)
    const page = await app.inject({ url: `/problems/${name}.md`, headers })
    t.match([page.statusCode, page.headers['content-type']], [200, 'text/markdown; charset=utf-8'], name)
    t.match(page.body, new RegExp(`^# .+\\n\\n.*${status}`), name)
    t.notMatch(page.body, /undefined|<\/?[a-z]/, name)
  }
  t.equal((await app.inject('/problems/nothing.md')).statusCode, 404)
})
