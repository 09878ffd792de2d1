import { IntlMessageFormat } from 'intl-messageformat'
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { catalogues } from '../../src/languages/catalogues.js'
import { reasons } from '../../src/languages/en/reasons/index.js'
import { languages, languageTags, PSEUDO, type MessageKey } from '../../src/languages/languages.js'
import { reason } from '../../src/languages/reason.js'
import { message, translator } from '../../src/languages/translator.js'

// A language that another file has read is not read again.
export const needsOwnProcess = true

const TAGS = ['strong', 'em', 'code', 'host', 'user-code', 'unseen', 'link']

type Elements = ReturnType<IntlMessageFormat['getAst']>
const sentences = await catalogues.en()
// as: the keys are those of its type.
const keys = Object.keys(sentences) as MessageKey[]

/** The arguments and tags of a message, and the categories of its plurals. */
function partsOf (elements: Elements): { names: string[], plurals: string[][] } {
  const parts = elements.map(element => {
    const inner = 'children' in element
      ? [partsOf(element.children)]
      : 'options' in element ? Object.values(element.options).map(({ value }) => partsOf(value)) : []
    const own = element.type === 0 || element.type === 7 ? [] : [`${'children' in element ? 'tag ' : ''}${element.value}`]
    const plurals = 'options' in element && 'offset' in element ? [Object.keys(element.options)] : []
    return { names: [...own, ...inner.flatMap(it => it.names)], plurals: [...plurals, ...inner.flatMap(it => it.plurals)] }
  })
  return { names: [...new Set(parts.flatMap(it => it.names))].sort(), plurals: parts.flatMap(it => it.plurals) }
}

const parse = (text: string) => partsOf(new IntlMessageFormat(text, 'en').getAst())

t.test('every sentence of every language has the arguments, the tags and all plurals that it needs', async t => {
  for (const tag of languageTags) {
    const { pluralCategories } = new Intl.PluralRules(languages[tag].formats).resolvedOptions()
    const catalogue = await catalogues[tag]()
    for (const key of keys) {
      const [{ names, plurals }, english] = [parse(catalogue[key]), parse(sentences[key])]
      t.same(names, english.names, `${tag} ${key}`)
      t.same(names.filter(it => it.startsWith('tag ') ? !TAGS.includes(it.slice(4)) : TAGS.includes(it)), [], `${tag} ${key}: known tags`)
      for (const categories of plurals) t.same(pluralCategories.filter(it => !categories.includes(it)), [], `${tag} ${key}: plurals`)
    }
  }
})

t.test('the files of a language are those of every language, and no two of them have the same sentence', async t => {
  const files = (tag: string) => readdirSync(new URL(`../../../src/languages/${tag}`, import.meta.url), { recursive: true }).map(String).sort()
  const named = files('en').filter(file => file !== 'index.ts' && file.endsWith('.ts'))
  for (const tag of languageTags) t.same(files(tag), files('en'), tag)
  const all = named.flatMap(file => [...readFileSync(new URL(`../../../src/languages/en/${file}`, import.meta.url), 'utf8')
    .matchAll(/^ {2}'([\w.:-]+)':/gm)].map(([, key]) => key))
  t.same(all.sort(), [...keys].sort())
})

t.test('a language whose sentences could not be read is read again when it is needed', async t => {
  const failure = new Error('EMFILE: too many open files')
  const { restore } = t.intercept(catalogues, 'es', { value: async () => { throw failure } })
  await t.rejects(translator('es'), failure)
  restore()
  t.equal((await translator('es'))('sign-in.password'), 'Contraseña')
})

t.test('a sentence has values as text and as HTML, isolated where directions mix', async t => {
  const [english, arabic] = [await translator('en'), await translator('ar')]
  t.equal(english('sign-in.title', { app: '<b>A & B</b>' }), 'Sign in to <b>A & B</b>')
  t.equal(english.html('sign-in.title', { app: '<b>A & B</b>' }), 'Sign in to <strong>&lt;b&gt;A &amp; B&lt;/b&gt;</strong>')
  t.equal(english.html('sign-in.title', { app: 'متجر' }), 'Sign in to <strong><bdi>متجر</bdi></strong>')
  t.equal(english('sign-in.title', { app: 'متجر' }), 'Sign in to \u2068متجر\u2069')
  t.equal(arabic.html('sign-in.title', { app: 'Shop' }), 'تسجيل الدخول إلى <strong><bdi>Shop</bdi></strong>')
  t.equal(arabic.html('sign-in.title', { app: 'Shop متجر' }), 'تسجيل الدخول إلى <strong><bdi dir="rtl">Shop متجر</bdi></strong>')
  t.equal(arabic('sign-in.title', { app: 'Shop متجر' }), 'تسجيل الدخول إلى \u2067Shop متجر\u2069')
  t.equal(english.text('sign-in.title'), 'sign-in.title', 'a name is no key')
  t.equal(english(message('failure.throttled', { minutes: 1 })), 'Too many attempts. Try again in 1 minute.')
  t.equal(arabic('failure.throttled', { minutes: 2 }), 'محاولات كثيرة جدًا. حاول مرة أخرى بعد دقيقتين.')
  t.throws(() => english('failure.throttled'), /minutes/)
  t.match(arabic('console.implicit.policy', { policy: 'allowed', date: '' }), /^مسموح/, 'a value that chooses a variant is no text')
})

t.test('an Arabic sentence begins with an Arabic word: browsers take the direction of an isolated text from its first letter', async t => {
  const sentences = Object.entries(await catalogues.ar())
  t.same(sentences.filter(([, sentence]) => /^[a-z].*[\u0600-\u06ff]/i.test(sentence)), [])
})

t.test('French punctuation does not begin a line', async t => {
  const french = await translator('fr')
  t.equal(french('sign-in.forgot-password'), 'Mot de passe oublié\u00a0?')
  t.match(french('sign-in.passkey-ready', { button: 'x' }), '«\u00a0x\u00a0»')
})

t.test('a language has one format of dates, in UTC, and one of lists', async t => {
  const date = new Date('2030-01-31T12:05:00Z')
  const rows: ReadonlyArray<[Parameters<typeof translator>[0], string, string]> = [
    ['en', '31 Jan 2030, 12:05 UTC', 'a, b and c'],
    ['de', '31. Jan. 2030, 12:05 UTC', 'a, b und c'],
    ['fr', '31 janv. 2030, 12:05 UTC', 'a, b et c'],
    ['es', '31 ene 2030, 12:05 UTC', 'a, b y c'],
    ['ar', '31 يناير 2030، 12:05 م UTC', 'a وb وc']
  ]
  for (const [tag, text, list] of rows) {
    const { date: written, list: joined, time } = await translator(tag)
    t.equal(written(date), text, tag)
    t.equal(joined(['a', 'b', 'c']), list, tag)
    t.equal(time(date), `<time datetime="2030-01-31T12:05:00.000Z">${text}</time>`)
  }
})

t.test('the pseudo-language is longer, and has no letter of English besides values and tags', async t => {
  const [pseudo, english] = [await translator(PSEUDO), await translator('en')]
  t.equal(pseudo.html('sign-in.title', { app: 'App' }), 'Šííǵń ííń ťóó <strong>App</strong>')
  for (const key of keys) {
    const values = Object.fromEntries(parse(sentences[key]).names.map(name => [name, 7]))
    const [text, plain] = [pseudo(key, values), english(key, values)]
    t.notMatch(text, /[a-z]/i, key)
    t.ok(text.length > plain.length || !/[aeiou]/i.test(plain), key)
  }
})

t.test('a reason has the same English sentence for commands as for pages', async t => {
  const english = await translator('en')
  // as: the keys are those of its type.
  for (const key of Object.keys(reasons) as Array<keyof typeof reasons>) {
    const noun = reason('reason.noun.given_name')
    const values = Object.fromEntries(parse(reasons[key]).names.map(name => [name, name === 'what' || name === 'label' ? noun : 1_024]))
    t.equal(reason(key, values).sentence, english(reason(key, values)), key)
  }
})
