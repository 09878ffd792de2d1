import t from 'tap'
import { filesBelow, read } from './support/sources.js'

await t.test('every stylesheet gets its colors from the tokens of the design, which needs no other package', async t => {
  t.same(JSON.parse(read('packages/design/package.json')).dependencies, {})
  const tokens = 'packages/design/public/tokens.css'
  const names = new Set([...read(tokens).matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
  const sheets = filesBelow('.').filter(file => file.endsWith('.css') && file !== tokens)
  t.ok(sheets.length > 4)
  for (const sheet of sheets) {
    const text = read(sheet)
    const own = [...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name)
    // Those with a fallback may be set elsewhere.
    t.same([...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name).filter(name => !names.has(name!) && !own.includes(name!)), [], sheet)
    t.same([...text.matchAll(/: [^;{}]*#[0-9a-f]{3,8}\b/gi)].map(([found]) => found).filter(it => it !== ': #fff'), [], sheet)
  }
})
