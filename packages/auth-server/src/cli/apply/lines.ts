import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter } from 'yaml'

/** The line of a value in a file, by the names and indexes that lead to it; of what is missing, the line of what should hold it. */
export type LineOf = (path: ReadonlyArray<string | number>) => number

/** Finds lines in a parsed file. An alias counts where it stands, what is within it where its anchor stands. */
export function lineFinder (document: Document.Parsed, counter: LineCounter): LineOf {
  return path => {
    let offset = document.contents?.range[0] ?? 0
    let node: unknown = document.contents
    for (const step of path) {
      const whole = isAlias(node) ? node.resolve(document) : node
      if (isMap(whole)) {
        const pair = whole.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
        if (pair === undefined || !isScalar(pair.key)) break
        offset = pair.key.range?.[0] ?? offset
        node = pair.value
      } else if (isSeq(whole)) {
        node = whole.items[Number(step)]
        // as: what a file holds are nodes.
        offset = (node as { range?: number[] } | undefined)?.range?.[0] ?? offset
      } else break
    }
    return counter.linePos(offset).line
  }
}
