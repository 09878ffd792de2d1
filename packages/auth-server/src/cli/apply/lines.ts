import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter } from 'yaml'

/** Finds the line of a value by its path of names and indexes. A missing value has the line of its parent. */
export type LineOf = (path: ReadonlyArray<string | number>) => number

/** Maps paths to lines of a parsed file. An alias has its own line; the values inside it have the lines of its anchor. */
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
        // as: the items of a parsed document are nodes.
        offset = (node as { range?: number[] } | undefined)?.range?.[0] ?? offset
      } else break
    }
    return counter.linePos(offset).line
  }
}
