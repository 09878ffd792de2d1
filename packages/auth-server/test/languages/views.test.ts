import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { catalogues } from '../../src/languages/catalogues.js'

/** Documentation for developers, which is in English, as all of it. */
const ENGLISH = ['article.eta', 'leave-implicit.js']

/** Attributes that people read or hear. */
const READ_ATTRIBUTES = /\b(?:alt|title|placeholder|aria-label|aria-description|data-[a-z]+-text)="([^"]*)"/g

/** Not words of a language: the format of a code, names of settings. */
const SYMBOLS = /XXXX-XXXX|QR|TOTP|UTC|\b(?:[A-Z]+(?:_[A-Z]+)+|[A-Z]{6,})=?/g

const folder = new URL('../../../views/', import.meta.url)
const views = readdirSync(folder, { recursive: true }).map(String).filter(file => /\.(eta|js)$/.test(file)).sort()
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')

/** Texts that people read and that are not in the catalogues. */
function textsOf (file: string): string[] {
  const source = read(file)
  const code = file.endsWith('.js') ? source.replace(/^\s*\/\/.*$|\/\*.*?\*\//gm, '') : [...source.matchAll(/<%[~=]?([^]*?)%>/g)].map(([, it]) => it).join('\n')
  const markup = file.endsWith('.js') ? '' : source.replace(/<%[^]*?%>/g, '')
  const attributes = [...markup.matchAll(READ_ATTRIBUTES)].map(([, it]) => it!)
  const nodes = markup.replace(/<(?:script|style)\b[^]*?<\/(?:script|style)>/g, '').split(/<[^>]*>/)
  return [...nodes, ...attributes].filter(it => /\p{L}{2}/u.test(it.replace(SYMBOLS, '').replace(/&\w+;/g, ''))).concat(literalsOf(code)).map(it => it.trim())
}

/** String literals that are words: with a capital letter, or several words that are no attributes or classes. */
function literalsOf (code: string): string[] {
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g)].map(([, quoted, template]) => quoted ?? template!.replace(/\$\{[^}]*\}/g, ''))
    .filter(it => !/[=<>/]/.test(it) && /^\s*[A-Z][a-z]+\b|\p{Ll}{2} \p{Ll}{2}/u.test(it))
}

t.test('every text of the views is in the catalogues', async t => {
  t.ok(views.length > 60)
  for (const file of views.filter(it => !ENGLISH.includes(it))) t.same(textsOf(file), [], file)
})

t.test('every sentence that code and views name exists, and each one is used', async t => {
  const source = new URL('../../../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true }).map(String).filter(file => file.endsWith('.ts') && !file.startsWith('languages/'))
  const text = [...views.map(read), ...files.map(file => readFileSync(new URL(file, source), 'utf8'))].join('\n')
  const known = Object.keys(await catalogues.en())
  const named = [...views.map(read).join('\n').matchAll(/\bt(?:\.html)?\((?:[^()']*\? )?'([\w.:-]+)'(?: : '([\w.:-]+)')?/g)].flatMap(([, ...found]) => found)
  t.same(named.filter(key => key !== undefined && !known.includes(key)), [])
  // A key can be composed, such as permission.claim.${claim}.
  const prefixes = [...text.matchAll(/`((?:[a-z-]+\.)+)\$\{/g)].map(([, prefix]) => prefix!)
  t.same(known.filter(key => !text.includes(`'${key}'`) && !prefixes.some(prefix => key.startsWith(prefix))), [])
})
