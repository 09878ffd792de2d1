import type { Page } from 'playwright-core'
import { read } from '../sources.js'

type Texts = Record<string, string | Record<string, string>>

/** The texts of a language of the desk. */
export function textsOf (tag: string): Texts {
  // as: a catalogue is an object of texts.
  return JSON.parse(read(`packages/desk/src/languages/${tag}.json`)) as Texts
}

/** For the letters from a to z. */
const ACCENTED = 'áƀçðéƒĝĥîĵķļɱñöþɋŕšţüṽŵẋýž'
const isWord = (word: string) => !/[{}<>]/.test(word)

/** English in letters with accents, and 40 % longer. */
function pseudoText (text: string): string {
  const words = text.split(/(\{\w+\}|<\/?\w+>)/)
  const accented = words.map(word => isWord(word) ? word.toLowerCase().replace(/[a-z]/g, letter => ACCENTED[letter.charCodeAt(0) - 97]!) : word).join('')
  return `${accented} ${'ö'.repeat(Math.ceil(text.length * 0.4))}`
}

/** Shows the desk in a language that no one speaks: what is still English is no text of a catalogue. */
export async function usePseudoLanguage (page: Page): Promise<void> {
  const kept = /^(language|locale|direction|search\.words\w+Age)$/
  const texts = Object.fromEntries(Object.entries(textsOf('en')).map(([key, text]) => {
    if (kept.test(key)) return [key, text]
    return [key, typeof text === 'string' ? pseudoText(text) : Object.fromEntries(Object.entries(text).map(([form, it]) => [form, pseudoText(it)]))]
  }))
  await page.route('**/texts.js', route => route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(texts)}` }))
}

/** The page's texts and names that have only letters of English, except user data and names of keys. */
export async function englishOn (page: Page, data: RegExp): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const isShown = (element: Element | null) => element !== null && element.checkVisibility() && !element.closest('kbd, pre, script, style, time, [lang]:not(html)')
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) if (isShown(walker.currentNode.parentElement)) found.push(walker.currentNode.nodeValue!.trim())
    for (const element of document.querySelectorAll('[aria-label], [placeholder]')) {
      if (isShown(element)) found.push(element.getAttribute('aria-label') ?? '', element.getAttribute('placeholder') ?? '')
    }
    return [...found, document.title.split(' · ')[0]!]
  })
  return [...new Set(texts)].filter(text => /[A-Za-z]/.test(text) && !/[áéîöüñšţŕļ]/.test(text) && !data.test(text))
}

/** Chooses a language of the desk, as its menu does. */
export async function chooseLanguage (page: Page, name: string): Promise<void> {
  await page.locator('#person').click()
  await page.getByRole('menuitemcheckbox', { name }).click()
}
