/** A statement could not begin in time: too many wait, or another process has locked the database. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
  readonly code = 'ETIMEDOUT'
}

/** SQLite: locked, read-only, disk broken or full, out of memory, or opened by several processes at the same moment. */
const SQLITE = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|FULL|CANTOPEN|NOMEM|PROTOCOL)/
/**
 * PostgreSQL: connection lost or refused; rolled back because of a concurrent transaction (serialization, deadlock); out of
 * resources; stopped by an operator; failed system call; transaction idle or running for too long; read-only after a
 * failover; database, schema or table missing during a restore, in use, locked or not permitted.
 */
const POSTGRESQL = /^(08|28|40|53|57|58)[0-9A-Z]{3}$|^(25006|25P03|25P04|3D000|3F000|42501|42P01|55000|55006|55P03)$/
/** Messages of PostgreSQL's driver that come without a code. */
const MESSAGE = /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable/
/** Errors of the socket, including too many open files. */
const SOCKET =
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|ADDRNOTAVAIL|AI_AGAIN|NOTFOUND|MFILE|NFILE|NOBUFS)$/

/** Codes for a read-only database. */
const READ_ONLY = /^(SQLITE_READONLY|25006$)/

/** Whether a write failed because the database is read-only. Searches like {@link isUnavailable}. */
export function isReadOnly (error: unknown): boolean {
  return error instanceof Error && (hasCode(error, [READ_ONLY]) || isReadOnly(error.cause))
}

/**
 * Whether an error of the database is temporary, so that a retry can succeed. Searches the chain of `cause`.
 */
export function isUnavailable (error: unknown): boolean {
  return error instanceof Error &&
    (hasCode(error, [SQLITE, POSTGRESQL, SOCKET]) || MESSAGE.test(error.message) || isUnavailable(error.cause))
}

function hasCode (error: Error & { code?: unknown }, known: readonly RegExp[]): boolean {
  const { code } = error
  return typeof code === 'string' && known.some(it => it.test(code))
}
