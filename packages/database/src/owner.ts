/** Each service by a table that only it has. */
const SERVICES: Readonly<Record<string, string>> = { access_epoch: 'auth-server', customer_change: 'customer-service' }

/** Which other service a database belongs to. */
export interface OtherOwner {
  readonly service: string
  /** A table that shows it. */
  readonly table: string
}

/**
 * Finds out whether a database belongs to the other service: it has a table of that one, and not the first of this one. Tables
 * of other programs may be there.
 * @param wanted the migrations of this service
 * @param tables names of all tables
 */
export function findOtherOwner (wanted: ReadonlyArray<{ readonly sql: string }>, tables: readonly string[]): OtherOwner | undefined {
  const [, first] = /CREATE TABLE "(\w+)"/.exec(wanted[0]?.sql ?? '') ?? []
  const table = tables.find(name => name in SERVICES)
  // `!`: the name is in it.
  return table === undefined || first === undefined || tables.includes(first) ? undefined : { service: SERVICES[table]!, table }
}
