import { kindOf, type Columns, type Kind } from './rows.js'

/** A table of the database. */
export interface Table<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
}

/** Describes a table. Its columns have the names of the fields in snake case: `client_id` for `clientId`. */
export function table<const C extends Columns> (name: string, columns: C): Table<C> {
  return { name, columns }
}

/** Picks columns of a table, for the entries or the rows of a statement. */
export function pick<C extends Columns, K extends keyof C & string> ({ columns }: Table<C>, ...fields: K[]): Pick<C, K> {
  // as: it has these fields.
  return Object.fromEntries(fields.map(field => [field, columns[field]])) as Pick<C, K>
}

/** The same columns, each with `null` as a value. */
export function nullable<C extends Columns> (columns: C): { readonly [Field in keyof C]: `${Kind & (C[Field] extends `${infer K}?` ? K : C[Field])}?` } {
  // as: each type has the `?` now.
  return Object.fromEntries(Object.entries(columns).map(([field, type]) => [field, `${kindOf(type)}?`])) as ReturnType<typeof nullable<C>>
}

/**
 * SQL list of the columns of a row: `code.hash, code.client_id`.
 * @param from table or alias that has them; in RETURNING, SQLite knows the name of the table only
 * @param others SQL of the fields that are no columns of it
 */
export function columns<C extends Columns> (row: C, from: string, others: { readonly [Field in keyof C]?: string } = {}): string {
  return Object.keys(row).map(field => others[field] ?? `${from}.${columnOf(field)}`).join(', ')
}

/** SQL list of the names of columns, as an INSERT needs it: `hash, client_id`. */
export function columnNames (row: object): string {
  return Object.keys(row).map(columnOf).join(', ')
}

/** SQL that sets columns to those of an entry, as an UPDATE needs it: `hash = entry.hash`. */
export function setColumns (row: Columns): string {
  return Object.keys(row).map(columnOf).map(name => `${name} = entry.${name}`).join(', ')
}

/** The column of a field: `client_id` for `clientId`. */
export function columnOf (field: string): string {
  return field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
