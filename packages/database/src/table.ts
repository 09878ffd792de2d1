import { kindOf, type Columns, type Kind } from './rows.js'

export interface Table<C extends Columns = Columns> { readonly name: string, readonly columns: C }

/** Describes a table. Columns are the fields in snake case: `client_id` for `clientId`. */
export function table<const C extends Columns> (name: string, columns: C): Table<C> {
  return { name, columns }
}

/** Picks columns of a table, for the entries or the rows of a statement. */
export function pick<C extends Columns, K extends keyof C & string> ({ columns }: Table<C>, ...fields: K[]): Pick<C, K> {
  // as: built from these fields.
  return Object.fromEntries(fields.map(field => [field, columns[field]])) as Pick<C, K>
}

/** Makes columns nullable. */
export function nullable<C extends Columns> (
  columns: C
): { readonly [Field in keyof C]: `${Kind & (C[Field] extends `${infer K}?` ? K : C[Field])}?` } {
  // as: each type has the `?`.
  return Object.fromEntries(Object.entries(columns).map(([field, type]) => [field, `${kindOf(type)}?`])) as ReturnType<typeof nullable<C>>
}

/**
 * SQL list of the columns of a row: `code.hash, code.client_id`.
 * @param from table or alias; in RETURNING, SQLite accepts only the table's name
 * @param others SQL of the fields that are not its columns
 */
export function columns<C extends Columns> (row: C, from: string, others: { readonly [Field in keyof C]?: string } = {}): string {
  return Object.keys(row).map(field => others[field] ?? `${from}.${columnOf(field)}`).join(', ')
}

/** SQL list of column names, for an INSERT: `hash, client_id`. */
export function columnNames (row: object): string {
  return Object.keys(row).map(columnOf).join(', ')
}

/** SQL that sets columns to an entry's, for an UPDATE: `hash = entry.hash`. */
export function setColumns (row: Columns): string {
  return Object.keys(row).map(columnOf).map(name => `${name} = entry.${name}`).join(', ')
}

/** The column of a field: `client_id` for `clientId`. */
export function columnOf (field: string): string {
  return field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
