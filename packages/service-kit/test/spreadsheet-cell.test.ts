import { readFileSync } from 'node:fs'
import t from 'tap'
import { escapeCell, unescapeCell } from '../src/spreadsheet-cell.js'

t.test('cells that a spreadsheet takes for a formula get an apostrophe, which an import takes off (CWE-1236)', t => {
  for (const text of ['=1+1', '＝1', '+1', '-1', '@A1', '\t=1', '\n=1', '\r=1', "'=1", "''+1"]) {
    t.equal(escapeCell(text), `'${text}`)
    t.equal(unescapeCell(escapeCell(text)), text)
  }
  for (const text of ['="007"', 'Kim', "O'Neill", "'Kim", '1+1', '']) t.equal(unescapeCell(escapeCell(text)), text)
  t.end()
})

t.test('the desk escapes the same cells', t => {
  const source = readFileSync(new URL('../../../../packages/desk/public/files/export.js', import.meta.url), 'utf8')
  const formula = new RegExp(/^const formula = \/(.*)\/$/m.exec(source)![1]!)
  const begins = Array.from({ length: 0x10000 }, (_, code) => `${String.fromCharCode(code)}x`)
  t.same(begins.filter(text => formula.test(text)), begins.filter(text => escapeCell(text) !== text))
  t.equal(formula.test("''=1"), true)
  t.end()
})
