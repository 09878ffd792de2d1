/** Delimiters of CSV, the most usual first. */
const DELIMITERS = [',', ';', '\t', '|'].map(it => it.charCodeAt(0))

/** Maximum lines and bytes that are compared. */
const [MAX_LINES, MAX_BYTES] = [10, 65_536]

const [LF, CR, QUOTE, SPACE] = [0x0a, 0x0d, 0x22, 0x20]

const NONE: readonly number[] = DELIMITERS.map(() => 0)

/** The line that tells Excel the delimiter. */
export const EXCEL_HINT = /^"?sep=(.?)"?$/i

/** Whether the beginning of a file is long enough for {@link findDelimiter}. */
export function isSample (head: Buffer): boolean {
  return head.length >= MAX_BYTES || countDelimiters(head).length > MAX_LINES
}

/**
 * Finds the delimiter of CSV, as a byte: the one of Excel's hint `sep=`, otherwise the one whose count is the same in most lines, so
 * that a title above the table makes no difference. If several qualify, the one with the higher count in the first line.
 */
export function findDelimiter (head: Buffer): number {
  const hint = EXCEL_HINT.exec(/^[\r\n\s]*(.*)/.exec(head.toString('latin1', 0, 64))?.[1] ?? '')?.[1]
  if (hint !== undefined && hint !== '') return hint.charCodeAt(0)
  const lines = countDelimiters(head)
  const first = lines[0] ?? NONE
  const alike = DELIMITERS.map((_, index) =>
    Math.max(...lines.map(({ [index]: count = 0 }) => count === 0 ? 0 : lines.filter(line => line[index] === count).length)))
  const isBetter = (one: number, other: number) =>
    alike[one] === alike[other] ? (first[one] ?? 0) > (first[other] ?? 0) : (alike[one] ?? 0) > (alike[other] ?? 0)
  const best = DELIMITERS.reduce((best, _, index) => isBetter(index, best) ? index : best, 0)
  // !: an index of the array.
  return DELIMITERS[best]!
}

/** Counts each delimiter outside quotes in the first lines that have some: in those with values or, without such, in an empty one. */
function countDelimiters (head: Buffer): Array<readonly number[]> {
  const lines: Array<readonly number[]> = []
  let [counts, hasValues, isQuoted] = [NONE, false, false]
  let empty = NONE
  for (const byte of head) {
    if (byte === LF || byte === CR) {
      if (isQuoted) continue
      if (hasValues && counts !== NONE) lines.push(counts)
      if (lines.length > MAX_LINES) return lines
      if (!hasValues && counts !== NONE) empty = counts
      ;[counts, hasValues] = [NONE, false]
    } else if (byte === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && DELIMITERS.includes(byte)) counts = counts.map((count, index) => DELIMITERS[index] === byte ? count + 1 : count)
    else if (byte !== SPACE) hasValues = true
  }
  if (counts !== NONE) lines.push(counts)
  return lines.length > 0 ? lines : [empty]
}
