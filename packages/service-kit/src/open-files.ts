import { MAX_CONNECTIONS } from './sockets/connections.js'

/** Fewest open files that a service can start with: loading its modules opens many at once. */
const MIN_FILES = 256

/** Enough for as many connections as a service accepts. */
const ENOUGH_FILES = MAX_CONNECTIONS + MIN_FILES

const REMEDY = 'Raise the limit: `ulimit -n 65536` in a shell, LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 for a container.'

/** How many files this process may open; `Infinity` if the system sets or reports no limit. */
function readLimit (): number {
  // Otherwise the report looks up each address in DNS, and the process waits, for many seconds where
  // DNS is out of reach.
  Object.assign(process.report, { excludeNetwork: true })
  // as: the report of Node.js has this form; on Windows it has no limits.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

/** Why a service cannot start with so few open files; `undefined` if it can. Connections are open files too. */
export function whyTooFewFiles (limit = readLimit()): string | undefined {
  return limit < MIN_FILES
    ? `This process may only open ${limit} files and connections, and needs ${MIN_FILES} at least. ${REMEDY}`
    : undefined
}

/** A warning about so few open files; `undefined` if they are enough. */
export function warnOfFewFiles (limit = readLimit()): string | undefined {
  return limit < ENOUGH_FILES
    ? `this process may only open ${limit} files and connections: with more clients than that, new connections are closed without an answer. ${REMEDY}`
    : undefined
}
