import t from 'tap'
import { isTooDeep, MAX_JSON_DEPTH } from '../src/json.js'

t.test('levels are counted outside strings only, of well-formed and other texts', async t => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  t.equal(isTooDeep(nested(MAX_JSON_DEPTH)), false)
  t.equal(isTooDeep(nested(MAX_JSON_DEPTH + 1)), true)
  t.equal(isTooDeep('{"a":'.repeat(MAX_JSON_DEPTH + 1)), true)
  t.equal(isTooDeep('[],'.repeat(100)), false)
  for (const text of ['['.repeat(100), `\\"${'{'.repeat(100)}`, '\\\\\\"['.repeat(100)]) t.equal(isTooDeep(JSON.stringify([text])), false, text.slice(0, 10))
  t.equal(isTooDeep(`"\\\\"${'['.repeat(100)}`), true, 'after a string that ends with a backslash')
})

t.test('a string that is not closed is read once, not again from each of its quotes', async t => {
  t.equal(isTooDeep('"' + '\\"'.repeat(1_000_000)), false, 'it would take hours')
  t.equal(isTooDeep('"' + '\\"'.repeat(1_000_000) + '\\'), false)
})
