/** The words of a customer as the search index has them, each once: these names and addresses are in ASCII. */
export function wordsOf (name, address) {
  return [...new Set(`${name} ${address}`.toLowerCase().match(/\w+/g))]
}
