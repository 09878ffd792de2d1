/** A table that only this service has. */
const SERVICES: Readonly<Record<string, string>> = { access_epoch: 'auth-server', customer_change: 'customer-service' }

/**
 * Finds out whether a database belongs to the other service: it has that one's table, and not the first table of this one.
 * @param wanted the migrations of this service
 * @param tables names of all tables
 * @returns the other service, and its table
 */
export function findOtherOwner (wanted: ReadonlyArray<{ readonly sql: string }>, tables: readonly string[]) {
  const [, first] = /CREATE TABLE "(\w+)"/.exec(wanted[0]?.sql ?? '') ?? []
  const table = tables.find(name => name in SERVICES)
  // !: the table is one of its keys.
  return table === undefined || first === undefined || tables.includes(first) ? undefined : { service: SERVICES[table]!, table }
}
