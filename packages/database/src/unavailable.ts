/** Prisma's codes for a database that cannot be reached, refuses connections or is too busy. */
const PRISMA = /^P(1000|1001|1002|1003|1008|1010|1011|1017|2024|2028|2034|2037)$/
/** SQLite: locked, read-only, disk broken or full, out of memory, or opened by several processes at the same moment. */
const SQLITE = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|FULL|CANTOPEN|NOMEM|PROTOCOL)/
/**
 * PostgreSQL: connection lost or refused; rolled back because of a concurrent transaction (serialization, deadlock); out of
 * resources; stopped by an operator; failed system call; transaction idle or running for too long; read-only after a
 * failover; database, schema or table missing during a restore, in use, locked or not permitted.
 */
const POSTGRESQL = /^(08|28|40|53|57|58)[0-9A-Z]{3}$|^(25006|25P03|25P04|3D000|3F000|42501|42P01|55000|55006|55P03)$/
/** Prisma's names for errors of raw statements, which have no code. */
const DRIVER =
  /^(SocketTimeout|DatabaseNotReachable|DatabaseDoesNotExist|DatabaseAccessDenied|AuthenticationFailed|ConnectionClosed|TooManyConnections|TransactionWriteConflict)$/
/** Messages of PostgreSQL's driver that come without a code. */
const MESSAGE = /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable/
/** Errors of the socket, including too many open files. */
const SOCKET =
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|ADDRNOTAVAIL|AI_AGAIN|NOTFOUND|MFILE|NFILE|NOBUFS)$/

/** Codes for a read-only database. */
const READ_ONLY = /^(SQLITE_READONLY|25006$)/

/** Whether a write failed because the database is read-only. Searches like {@link isUnavailable}. */
export function isReadOnly (error: unknown): boolean {
  if (!(error instanceof Object)) return false
  const { code, originalCode, cause, meta } = error as Record<string, unknown>
  return [code, originalCode].some(it => typeof it === 'string' && READ_ONLY.test(it)) ||
    isReadOnly(cause) || isReadOnly((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError)
}

/**
 * Whether an error of the database layer is temporary, so that a retry can succeed, rather than a mistake in the statement.
 * Searches the chain of `cause` and the driver's error that Prisma wraps.
 */
export function isUnavailable (error: unknown): boolean {
  if (!(error instanceof Object)) return false
  const { code, originalCode, kind, cause, meta, message } = error as Record<string, unknown>
  return [code, originalCode].some(it => typeof it === 'string' && [PRISMA, SQLITE, POSTGRESQL, SOCKET].some(known => known.test(it))) ||
    (typeof kind === 'string' && DRIVER.test(kind)) || (typeof message === 'string' && MESSAGE.test(message)) ||
    isUnavailable(cause) || isUnavailable((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError)
}
