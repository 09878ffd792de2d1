import t from 'tap'
import { parseMeaning, type Meaning } from '../../../src/stores/search/meaning.js'

const [MIN, MAX] = [-(2 ** 31), 2 ** 31 - 1]

t.test('a search text is a number, an age, ages or words', async t => {
  const number = (id: number): Meaning => ({ words: [], id })
  const integer = (text: string, id: number, ...words: string[]): Meaning => ({ text, words, or: { id, minAge: id, maxAge: id } })
  const ages = (text: string, minAge: number, maxAge: number, ...words: string[]): Meaning => ({ text, words, or: { minAge, maxAge } })
  const words = (text: string, ...words: string[]): Meaning => ({ text, words })
  const meanings: Record<string, Meaning> = {
    ' 34 ': integer('34', 34, '34'),
    '-5': integer('-5', -5, '5'),
    '-0': integer('-0', 0, '0'),
    '３４': integer('３４', 34, '34'),
    '007': integer('007', 7, '007'),
    '#34': number(34),
    'No. 34': number(34),
    'nr.-3': number(-3),
    '№ 34': number(34),
    'N° 34': number(34),
    'n.º 34': number(34),
    '＃34': number(34),
    '30-39': ages('30-39', 30, 39, '30', '39'),
    '30 – 39': ages('30 – 39', 30, 39, '30', '39'),
    '-5--1': ages('-5--1', -5, -1, '5', '1'),
    '> 60': ages('> 60', 61, MAX, '60'),
    '>=60': ages('>=60', 60, MAX, '60'),
    '< 18': ages('< 18', MIN, 17, '18'),
    '<= 18': ages('<= 18', MIN, 18, '18'),
    '60-9999999999': ages('60-9999999999', 60, MAX, '60', '9999999999'),
    '39-30': words('39-30', '39', '30'),
    2147483648: words('2147483648', '2147483648'),
    '> 2147483647': words('> 2147483647', '2147483647'),
    'no 34': words('no 34', 'no', '34'),
    'Ann 34': words('Ann 34', 'ann', '34'),
    '1-2-3': words('1-2-3', '1', '2', '3')
  }
  for (const [text, meaning] of Object.entries(meanings)) t.strictSame(parseMeaning(text), meaning, text)
})
