/** The words of a text as customer-service writes them for its full-text index: these names and addresses are in ASCII. */
export function wordsOf (text) {
  return [...new Set(text.toLowerCase().match(/\w+/g))].map(word => ` ${word}`).join('')
}
