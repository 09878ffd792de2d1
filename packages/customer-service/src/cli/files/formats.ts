import { extname } from 'node:path'

/** File formats, and their media types. */
export const formats = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' }
export type Format = keyof typeof formats

/** The format of a file by its name extension. */
export function formatByName (file: string): Format | undefined {
  const ending = extname(file).slice(1).toLowerCase()
  if (ending === 'jsonl') return 'ndjson'
  // as: a key of `formats`.
  return ending in formats ? ending as Format : undefined
}
