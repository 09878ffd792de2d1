/** Prisma's codes for a database that cannot be reached, refuses connections or is too busy. */
const PRISMA = /^P(1000|1001|1002|1003|1008|1010|1011|1017|2024|2028|2034|2037)$/
/** SQLite: locked, read-only, broken or full disk, no memory, or several that open it at one moment. */
const SQLITE = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|FULL|CANTOPEN|NOMEM|PROTOCOL)/
/**
 * PostgreSQL: connection lost or refused, rolled back because of a concurrent transaction (serialization, deadlock), out of resources, stopped
 * by an operator, failed system call; a transaction that was idle or took too long, read-only after a failover, away (it, its
 * schema or a table) while it is restored, in use or locked, or closed to us.
 */
const POSTGRESQL = /^(08|28|40|53|57|58)[0-9A-Z]{3}$|^(25006|25P03|25P04|3D000|3F000|42501|42P01|55000|55006|55P03)$/
/** What the drivers call it, where Prisma gives no code of its own: errors of raw statements. */
const DRIVER = /^(SocketTimeout|DatabaseNotReachable|DatabaseDoesNotExist|DatabaseAccessDenied|AuthenticationFailed|ConnectionClosed|TooManyConnections|TransactionWriteConflict)$/
/** What PostgreSQL's driver says without any code. */
const SAID = /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable/
/** The socket below, also where no more can be opened. */
const SOCKET = /^E(CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|ADDRNOTAVAIL|AI_AGAIN|NOTFOUND|MFILE|NFILE|NOBUFS)$/

/** What is said of a database that can be read and not be written. */
const READ_ONLY = /^(SQLITE_READONLY|25006$)/

/** Says whether the database was asked to write and can only be read. Looks where {@link isUnavailable} looks. */
export function isReadOnly (error: unknown): boolean {
  if (!(error instanceof Object)) return false
  const { code, originalCode, cause, meta } = error as Record<string, unknown>
  return [code, originalCode].some(it => typeof it === 'string' && READ_ONLY.test(it)) ||
    isReadOnly(cause) || isReadOnly((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError)
}

/**
 * Says whether an error of the database layer means "not now" (the caller should try again later) rather than
 * "never" (a mistake in the statement). Looks along `cause` and into what Prisma keeps of the driver's error.
 */
export function isUnavailable (error: unknown): boolean {
  if (!(error instanceof Object)) return false
  const { code, originalCode, kind, cause, meta, message } = error as Record<string, unknown>
  return [code, originalCode].some(it => typeof it === 'string' && [PRISMA, SQLITE, POSTGRESQL, SOCKET].some(known => known.test(it))) ||
    (typeof kind === 'string' && DRIVER.test(kind)) || (typeof message === 'string' && SAID.test(message)) ||
    isUnavailable(cause) || isUnavailable((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError)
}
