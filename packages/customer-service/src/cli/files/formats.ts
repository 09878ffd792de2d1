import { extname } from 'node:path'

/** The formats of files, and their media types. */
export const formats = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' }
export type Format = keyof typeof formats

/** The format of a file, by the end of its name. */
export function formatOf (file: string): Format | undefined {
  const ending = extname(file).slice(1).toLowerCase()
  if (ending === 'jsonl') return 'ndjson'
  // as: one of its keys.
  return ending in formats ? ending as Format : undefined
}
