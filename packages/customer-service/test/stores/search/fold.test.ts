import fc from 'fast-check'
import t from 'tap'
import { fold, foldName, foldWords, parseWords } from '../../../src/stores/search/fold.js'

t.test('texts that differ in case and accents alone are one', async t => {
  const same: string[][] = [
    ['Amélie', 'AMÉLIE', 'Ame\u0301lie', 'amelie'],
    ['Łódź', 'LODZ', 'łódź'],
    ['Straße', 'STRASSE', 'STRAẞE', 'strasse'],
    ['Οδυσσεύς', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['İzmir', 'izmir', 'IZMIR', 'ızmır'],
    ['Ærø', 'AERO'],
    ['ﬁn ２', 'FIN 2'],
    ['Đặng', 'dang'],
    ['Ёлка', 'елка']
  ]
  for (const [first = '', ...others] of same) {
    for (const other of others) t.equal(fold(other), fold(first), `${other} = ${first}`)
  }
})

t.test('texts that differ in more stay apart: the vowels of Indic scripts are no accents', async t => {
  const different: Array<[string, string]> = [
    ['anna', 'anne'],
    ['की', 'का'],
    ['李', '季'],
    ["O'Brien", 'OBrien'],
    ['a b', 'ab'],
    ['🙂', '🙃']
  ]
  for (const [one, other] of different) t.not(fold(one), fold(other), `${one} ≠ ${other}`)
})

t.test('a sigma that ends a word is like any other, so that the beginning of a word finds the word', async t => {
  t.equal(fold('Οδυσσεύς'), 'οδυσσευσ')
  t.ok(fold('ΟΔΟΣΗΣ').startsWith(fold('ΟΔΟΣ')))
  t.equal(foldWords('ΟΔΟΣ ς'), ' οδοσ σ')
})

t.test('words are letters, digits and their marks, each once', async t => {
  t.same(parseWords('O\'Brien, Zoë-Ann  zoe 12b\n12B नमस्ते 李小龍 🙂'), ['o', 'brien', 'zoe', 'ann', '12b', 'नमस्ते', '李小龍'])
  t.equal(foldWords('Zoë Ann, rue Ann 3'), ' zoe ann rue 3')
  t.equal(foldWords('🙂!'), '')
})

t.test('folding twice is folding once, and what is kept has a bound that databases can index', async t => {
  const text = fc.string({ unit: 'binary', maxLength: 100 })
  t.doesNotThrow(() => fc.assert(fc.property(text, value => fold(fold(value)) === fold(value)), { numRuns: 2_000 }))
  t.doesNotThrow(() => fc.assert(fc.property(text, text, (one, other) => {
    const words = parseWords(`${one} ${other}`)
    return [...foldName(one)].length <= 200 && words.every(word => [...word].length <= 64 && /^[\p{L}\p{N}\p{M}]+$/u.test(word)) &&
      foldWords(`${one} ${other}`).split(' ').slice(1).join() === words.join()
  }), { numRuns: 500 }))
  t.ok(Buffer.byteLength(foldName('\ufdfa'.repeat(100))) < 2_000)
})
