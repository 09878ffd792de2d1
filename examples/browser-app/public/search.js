// What is typed into the search field: the first letters of words, a number or an age.

// "age 34", "aged 30-39", "34 years old".
const age = /(?<!\S)(?:aged? (\d+)(?: ?[-–] ?(\d+))?|(\d+) years?(?: old)?)(?!\S)/i

/** The query of the register for a text. */
export function queryOf (text) {
  const [found = '', from, to, years] = age.exec(text) ?? []
  const words = text.replace(found, ' ').trim()
  return { q: words || undefined, age_gte: from ?? years, age_lte: to ?? from ?? years }
}

/** The number that a text is, of a customer or an age; null if it is none. */
export const numberIn = text => /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : null
