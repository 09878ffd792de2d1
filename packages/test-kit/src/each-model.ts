import type { Test } from 'tap'

interface Table { readonly name: string, readonly columns: Readonly<Record<string, string>> }

/** A model of Prisma's client. */
interface Model {
  create (options: { data: Record<string, unknown> }): Promise<unknown>
  findMany (): Promise<unknown[]>
}

/** Values of two rows, by the kind of the column. */
const ROWS: Array<Record<string, unknown>> = [
  { string: 'ä', int: 7, bigint: 2n ** 40n, boolean: true, datetime: new Date('2026-07-01T12:00:00.125Z') },
  { string: 'b', int: -8, bigint: 8n, boolean: false, datetime: new Date('2026-12-01T00:00:00Z') }
]

/**
 * Asserts that Prisma's client and statements read each other's rows of every table.
 * @param tables by the names of their models
 * @param first models that others reference
 * @param client Prisma's client
 * @param write adds a row with a statement
 * @param read reads a table's rows with a statement
 */
export async function assertSameRows<T extends Table> (t: Test, { tables, first, client, write, read }: {
  tables: Readonly<Record<string, T>>
  first: readonly string[]
  client: object
  write: (table: T, row: Record<string, unknown>) => Promise<unknown>
  read: (table: T) => Promise<unknown[]>
}): Promise<void> {
  const names = [...first, ...Object.keys(tables).filter(name => !first.includes(name))]
  for (const name of names) {
    // !: of a name of `tables`. as: Prisma's client has a property for each model.
    const [table, model] = [tables[name]!, (client as Record<string, Model>)[name]!]
    const [own, other] = ROWS.map(values => Object.fromEntries(
      Object.entries(table.columns).map(([field, kind]) => [field, values[kind.replace('?', '')]])
    ))
    await model.create({ data: own! })
    t.same(await read(table), [own], `a statement reads what Prisma's client wrote: ${name}`)
    await write(table, other!)
    t.same(new Set(await model.findMany()), new Set([own, other]), `Prisma's client reads what a statement wrote: ${name}`)
  }
}
