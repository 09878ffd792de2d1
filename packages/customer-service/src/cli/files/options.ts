import { Option } from 'commander'
import { extname } from 'node:path'

/** The formats of files, and their media types. */
export const formats = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' }
export type Format = keyof typeof formats

/** `--url` of a command. */
export function urlOption (): Option {
  return new Option('--url <url>', 'address of customer-service').env('CUSTOMER_URL').default('http://localhost:3001')
}

/** `--format` of a command. */
export function formatOption (description: string): Option {
  return new Option('--format <format>', description).choices(Object.keys(formats))
}

/** The format of a file, by the end of its name. */
export function formatOf (file: string): Format | undefined {
  const ending = extname(file).slice(1).toLowerCase()
  if (ending === 'jsonl') return 'ndjson'
  // as: one of its keys.
  return ending in formats ? ending as Format : undefined
}
