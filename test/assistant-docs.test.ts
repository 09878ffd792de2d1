import t from 'tap'
import { read } from './support/sources.js'
import { root } from './support/stack.js'

const GUIDE = 'docs/how-to/let-assistants-use-the-register.md'
const PAGES = ['chatgpt', 'claude', 'vs-code', 'cursor'].map(name => `docs/how-to/connect-${name}.md`)

await t.test('the guide has every tool, with its scope', async t => {
  const { tools } = await import(new URL('packages/customer-service/dist/src/routes/mcp/tools/index.js', `file://${root}`).href) as {
    tools: ReadonlyArray<{ name: string, scope: string }>
  }
  const rows = [...read(GUIDE).matchAll(/^\| `(\w+)` \| `([\w:]+)` \|/gm)].map(([, name, scope]) => `${name} ${scope}`)
  t.same(rows.sort(), tools.map(({ name, scope }) => `${name} ${scope}`).sort())
})

await t.test('each page has an address of /mcp: that of npm start, or the one in the settings of the guide', async t => {
  const local = `${/^\| customer-service \| (\S+):/m.exec(read('README.md'))?.[1]}/mcp`
  const example = /^MCP_RESOURCES=(https:\S+)$/m.exec(read(GUIDE))?.[1]
  t.equal(example, `${/^SERVICE_ROOT=(\S+)$/m.exec(read(GUIDE))?.[1]}/mcp`)
  for (const page of PAGES) {
    const addresses = [...read(page).matchAll(/https?:\/\/[\w.:]+\/mcp\b/g)].map(([address]) => address)
    t.ok(addresses.length > 0, page)
    t.same(addresses.filter(address => address !== example && address !== local), [], page)
  }
})

await t.test('the files of the editors are JSON, in the form that each reads', async t => {
  const fileIn = (page: string) => JSON.parse(/```json\n(.*?)\n *```/s.exec(read(page))?.[1] ?? '')
  const url = 'http://localhost:3001/mcp'
  t.same(fileIn('docs/how-to/connect-vs-code.md'), { servers: { customers: { type: 'http', url } } })
  t.same(fileIn('docs/how-to/connect-cursor.md'), { mcpServers: { customers: { url } } })
})
