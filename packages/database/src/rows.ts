/** The type of a column. */
export type Kind = keyof typeof read

/** Columns by name, in the order of the statement; `?` marks nullable ones. */
export type Columns = Readonly<Record<string, Kind | `${Kind}?`>>

type Value<T> = T extends `${infer K extends Kind}?` ? Value<K> | null : T extends Kind ? NonNullable<ReturnType<typeof read[T]>> : never

export type Row<C extends Columns> = { readonly [Name in keyof C]: Value<C[Name]> }

/** Creates a decoder of the driver's rows: times are text, and SQLite has `1` for true. It throws a TypeError for other columns. */
export function rowDecoder<C extends Columns> (columns: C): (rows: readonly unknown[][]) => Array<Row<C>> {
  const readers = Object.entries(columns).map(([name, type], index) =>
    ({ name, type, index, read: read[kindOf(type)], isNullable: type.endsWith('?') }))
  return rows => rows.map(row => {
    if (row.length !== readers.length) throw new TypeError(`A row has ${row.length} columns instead of ${Object.keys(columns).join(', ')}.`)
    const decoded: Record<string, unknown> = {}
    for (const { name, type, index, read, isNullable } of readers) {
      const value = row[index] === null && isNullable ? null : read(row[index])
      if (value === undefined) {
        throw new TypeError(`The column ${name} has no ${type}, but ${row[index] === null ? 'NULL' : typeof row[index]}.`)
      }
      decoded[name] = value
    }
    // as: each column was decoded as its type.
    return decoded as Row<C>
  })
}

/** Decodes the rows of a statement. For frequent ones, see {@link rowDecoder}. */
export function decodeRows<C extends Columns> (columns: C, rows: readonly unknown[][]): Array<Row<C>> {
  return rowDecoder(columns)(rows)
}

/** The type of a column without the mark for null. */
export function kindOf (type: Columns[string]): Kind {
  // as: a kind, with or without `?`.
  return type.replace('?', '') as Kind
}

/** Decoders of each kind; `undefined` for a value of another type. */
const read = {
  string: (value: unknown) => typeof value === 'string' ? value : undefined,
  // PostgreSQL's driver returns 64-bit integers as text.
  int: (value: unknown) => isWhole(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined,
  bigint: (value: unknown) => isWhole(value) ? BigInt(value) : undefined,
  boolean: (value: unknown) => typeof value === 'boolean' ? value : value === 0 || value === 1 ? value === 1 : undefined,
  datetime: (value: unknown) => typeof value === 'string' ? readTime(value) : undefined,
  /** The same as text (RFC 3339), which takes a twentieth of the time: for rows that are only shown. */
  timestamp: (value: unknown) => typeof value === 'string' ? formatTime(value) : undefined
}

function isWhole (value: unknown): value is number | bigint | string {
  return Number.isInteger(value) || typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value))
}

/** The form of SQLite, and of PostgreSQL unless it omitted trailing zeros. */
const EXACT_TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\.\d{3}(\+00:00)?$/

/** Formats a stored time as `toISOString` does. */
function formatTime (text: string): string | undefined {
  return EXACT_TIME.test(text) ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : readTime(text)?.toISOString()
}

/** Times without a zone are in UTC. */
function readTime (text: string): Date | undefined {
  const time = new Date(/[Zz]$|[+-]\d\d(:?\d\d)?$/.test(text.slice(10)) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
