import widthOf from 'fast-string-width'
import t from 'tap'
import { list, table } from '../../src/cli/table.js'

const PIPE = { columns: 80, wraps: false }
const terminal = (columns: number) => ({ columns, wraps: true })

t.test('columns for which 80 are too few continue on a second line', t => {
  const rows = [['a'.repeat(40), 'b'.repeat(30), 'c'.repeat(20), 'd'], ['a', 'b', 'c', 'e'.repeat(10)]]
  t.equal(list(['ONE', 'TWO', 'THREE', 'FOUR'], rows, PIPE), [
    `${'ONE'.padEnd(40)}  TWO`, `  ${'THREE'.padEnd(20)}  FOUR`,
    `${'a'.repeat(40)}  ${'b'.repeat(30)}`, `  ${'c'.repeat(20)}  d`,
    `${'a'.padEnd(40)}  b`, `  ${'c'.padEnd(20)}  ${'e'.repeat(10)}`
  ].join('\n'))
  t.equal(list(['ONE', 'TWO', 'THREE', 'FOUR'], rows, terminal(120)).split('\n').length, 3, 'a wide terminal has room for all')
  t.end()
})

t.test('on a terminal, values that are too wide continue below; elsewhere they stay whole', t => {
  const uri = `https://shop.example/${'path/'.repeat(40)}`
  for (const columns of [40, 80, 132]) {
    const shown = [
      table([['Callbacks', uri], ['', 'words '.repeat(40)], ['Name', '佐藤美咲'.repeat(30)]], terminal(columns)),
      list(['ID', 'NAME', 'URI'], [['5b1f2c7e', '佐藤美咲'.repeat(30), uri], ['x', 'محمد '.repeat(40), 'y']], terminal(columns))
    ].join('\n')
    t.strictSame(shown.split('\n').filter(line => widthOf(line) > columns), [], `${columns} columns`)
    t.ok(shown.replace(/\n */g, '').includes(uri), 'nothing is cut off')
  }
  t.equal(table([['Callbacks', uri]], PIPE), `Callbacks  ${uri}`)
  t.ok(list(['ID', 'URI'], [['5b1f2c7e', uri]], PIPE).split('\n').includes(`  ${uri}`))
  t.end()
})

t.test('characters take the columns that a terminal gives them, and none changes what is around it', t => {
  t.equal(list(['NAME', 'STATE'], [['李小龍', 'a'], ['Zoë', 'b']], PIPE), 'NAME    STATE\n李小龍  a\nZoë     b')
  const shown = list(['NAME', 'STATE'], [['a\u202Eb', 'a\nb'], ['\u001b[2J', '\u0007']], PIPE) + table([['Name', 'a\rb\u2028']], PIPE)
  t.notMatch(shown, /[\p{Bidi_Control}\p{Zl}]|[^\P{Cc}\n]/u)
  t.match(shown, 'a\\u202eb')
  t.equal(shown.split('\n').length, 3)
  t.end()
})
