import { IntlMessageFormat } from 'intl-messageformat'

const PLAIN = 'abcdefghijklmnopqrstuvwxyz'
const ACCENTED = 'áƀćđéƒǵĥíĵķĺɱńóƥɋŕšťúṽŵẋýž'

/** A message as the compiled form of ICU MessageFormat. */
type Compiled = ReturnType<IntlMessageFormat['getAst']>

/**
 * A message in the pseudo-language: its letters are accented and its vowels doubled, so that what is not translated and what has no
 * room is seen. Arguments and tags stay.
 */
export function pseudoMessage (text: string): Compiled {
  return new IntlMessageFormat(text, 'en').getAst().map(pseudoElement)
}

function pseudoElement (element: Compiled[number]): Compiled[number] {
  if ('children' in element) return { ...element, children: element.children.map(pseudoElement) }
  if ('options' in element) {
    const options = Object.entries(element.options).map(([name, option]) =>
      [name, { ...option, value: option.value.map(pseudoElement) }])
    // as: the same kind of element with the same options.
    return { ...element, options: Object.fromEntries(options) } as typeof element
  }
  return element.type === 0 ? { ...element, value: pseudoText(element.value) } : element
}

function pseudoText (text: string): string {
  return text.replace(/&amp;|[a-z]/gi, letter => {
    const accented = ACCENTED[PLAIN.indexOf(letter.toLowerCase())]
    if (accented === undefined) return letter
    const shown = letter === letter.toLowerCase() ? accented : accented.toUpperCase()
    return /[aeiou]/i.test(letter) ? shown + accented : shown
  })
}
