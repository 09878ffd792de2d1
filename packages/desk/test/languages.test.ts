import t from 'tap'
import { languageOf, languages, tags } from '../src/languages/languages.js'
import { build } from './support/build.js'

type Forms = string | Record<string, string>

const formsOf = (text: Forms) => typeof text === 'string' ? [text] : Object.values(text)
/** The places and tags of a text, without the number, which some forms write as a word. */
const partsOf = (text: string) => [...text.matchAll(/\{(?!count)\w+\}|<\/?\w+>/g)].map(([part]) => part).sort()

t.test('every text has the same places and tags in each language, and every plural form', async t => {
  // as: a catalogue is an object of texts.
  const english = Object.entries(languages.en) as Array<[keyof typeof languages.en, Forms]>
  t.ok(english.length > 300)
  for (const tag of tags) {
    const { locale } = languages[tag]
    const rules = new Intl.PluralRules(locale)
    const categories = new Set(Array.from({ length: 1000 }, (_, number) => rules.select(number)))
    for (const [key, source] of english) {
      // as: as above.
      const text = languages[tag][key] as Forms
      for (const form of formsOf(text)) t.same(partsOf(form), partsOf(formsOf(source).at(-1)!), `${tag} ${key}`)
      t.equal(typeof text, typeof source, `${tag} ${key}`)
      if (typeof text === 'object') t.same(Object.keys(text).sort(), [...categories].sort(), `${tag} ${key}`)
      // Otherwise it would replace a part of the text.
      t.ok(formsOf(text).every(form => !form.replace(/\{\w+\}|<\/?\w+>/g, '').match(/[{}<>]/)), `${tag} ${key}`)
    }
  }
})

t.test('the language is the user\'s choice, or one that the browser prefers, or the default', async t => {
  const rows: Array<[cookie: string, accepted: string | undefined, found: string]> = [
    ['', 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['', 'pt-BR, fr;q=0.3, en;q=0.2', 'fr'],
    ['', 'ar-EG', 'ar'],
    ['', 'pt', 'es'],
    ['', '*', 'es'],
    ['', undefined, 'es'],
    ['a=b; desk-language=ar', 'de', 'ar'],
    ['desk-language=ar; a=b', 'de', 'ar'],
    ['my-desk-language=ar; desk-language=toString', 'de', 'de']
  ]
  for (const [cookie, accepted, found] of rows) {
    t.equal(languageOf({ cookie, ...accepted !== undefined && { 'accept-language': accepted } }, 'es'), found, `${cookie} ${accepted}`)
  }
})

t.test('the server renders the page, and preloads the texts, in this language', async t => {
  const desk = await build(t, { DEFAULT_LANGUAGE: 'fr' })
  const rows = [
    [{ 'accept-language': 'de' }, '<html lang="de" dir="ltr">', 'Kundenverwaltung', 'Diese App benötigt JavaScript.'],
    [{ 'accept-language': 'de', cookie: 'desk-language=ar' }, '<html lang="ar" dir="rtl">', 'إدارة العملاء', 'JavaScript'],
    [{}, '<html lang="fr" dir="ltr">', 'Gestion des clients', 'Cette application nécessite JavaScript.']
  ] as const
  for (const [headers, html, title, noscript] of rows) {
    const page = await desk.inject({ url: '/', headers })
    t.equal(page.headers.vary, 'Accept-Language, Cookie')
    for (const part of [html, `<title>${title} · Frontdesk</title>`, noscript]) t.ok(page.body.includes(part), part)
    const [, path] = /rel="modulepreload" href="([^"]+\/texts\.js)"/.exec(page.body)!
    const texts = await desk.inject(path!)
    t.match([texts.statusCode, texts.headers['cache-control']], [200, 'public, max-age=31536000, immutable'])
    t.ok(texts.body.startsWith('export default {') && texts.body.includes(title))
  }
})

t.test('error pages are in this language, problems in English', async t => {
  const desk = await build(t, { PRIVACY_URL: 'https://www.example/privacy' })
  const headers = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'de' }
  const page = await desk.inject({ url: '/nowhere', headers })
  for (const part of ['<html lang="de" dir="ltr">', '<h1>Diese Seite gibt es nicht.</h1>', 'Zur Kundenverwaltung', '>Datenschutz</a>']) t.ok(page.body.includes(part), part)
  t.equal(page.headers.vary, 'Accept, Accept-Language, Cookie')
  const problem = await desk.inject({ url: '/nowhere', headers: { 'accept-language': 'de' } })
  t.equal(problem.json().title, 'This page does not exist.')
})
