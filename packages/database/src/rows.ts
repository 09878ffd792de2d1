/** How a column is read: as text, as a number, as a BigInt, as a boolean, or as a time in UTC. */
type Kind = keyof typeof read

/** The columns of an answer by the names that they get, in the order of the statement; `?` marks those that can be NULL. */
export type Columns = Readonly<Record<string, Kind | `${Kind}?`>>

type Value<T> = T extends `${infer K extends Kind}?` ? Value<K> | null : T extends Kind ? NonNullable<ReturnType<typeof read[T]>> : never

/** A row with these columns. */
export type Row<C extends Columns> = { readonly [Name in keyof C]: Value<C[Name]> }

/**
 * Decodes the rows of a driver, which differ by database: times are text, and truth is `1` on SQLite.
 * @throws TypeError if a row is not as declared
 */
export function decodeRows<C extends Columns> (columns: C, rows: readonly unknown[][]): Array<Row<C>> {
  const readers = Object.entries(columns).map(([name, type]) => {
    // as: that is how the types of columns are made.
    const kind = type.replace('?', '') as Kind
    return { name, type, read: read[kind], isNullable: kind !== type }
  })
  return rows.map(row => {
    if (row.length !== readers.length) throw new TypeError(`A row has ${row.length} columns instead of ${Object.keys(columns).join(', ')}.`)
    const decoded = readers.map(({ name, type, read, isNullable }, index) => {
      const value = row[index] === null && isNullable ? null : read(row[index])
      if (value === undefined) throw new TypeError(`The column ${name} holds no ${type}, but ${row[index] === null ? 'NULL' : typeof row[index]}.`)
      return [name, value]
    })
    // as: each column was read as its type.
    return Object.fromEntries(decoded) as Row<C>
  })
}

/** What each kind of value is read as; `undefined` if it is none. */
const read = {
  string: (value: unknown) => typeof value === 'string' ? value : undefined,
  // PostgreSQL's driver gives 64 bits as text.
  int: (value: unknown) => isWhole(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined,
  bigint: (value: unknown) => isWhole(value) ? BigInt(value) : undefined,
  boolean: (value: unknown) => typeof value === 'boolean' ? value : value === 0 || value === 1 ? value === 1 : undefined,
  datetime: (value: unknown) => typeof value === 'string' ? readTime(value) : undefined
}

function isWhole (value: unknown): value is number | bigint | string {
  return Number.isInteger(value) || typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value))
}

/** Without a zone it is in UTC, as the stores write it. */
function readTime (text: string): Date | undefined {
  const time = new Date(/[Zz]$|[+-]\d\d(:?\d\d)?$/.test(text.slice(10)) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
