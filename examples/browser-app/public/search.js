// What is typed into the search field: the first letters of words, or a number.

/** The query of the register for a text. */
export const queryOf = text => ({ q: text.trim() || undefined })

/** The number that a text is; null if it is none. */
export const numberIn = text => /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : null
