import { MAX_CONNECTIONS } from './sockets/connections.js'

/** Minimum limit to start: loading the modules opens many files at once. */
const MIN_FILES = 256

/** Enough for all connections that a service accepts. */
const ENOUGH_FILES = MAX_CONNECTIONS + MIN_FILES

const REMEDY = 'Raise the limit: `ulimit -n 65536` in a shell, LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 for a container.'

/** The process's limit of open files; `Infinity` if the system has or reports no limit. */
function readLimit (): number {
  // Otherwise, the report looks up addresses in DNS, and blocks for seconds if DNS is unreachable.
  Object.assign(process.report, { excludeNetwork: true })
  // as: the report of Node.js has this form; on Windows it has no limits.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

/** Explains why the limit of open files is too low to start; `undefined` if it is not. Connections are open files, too. */
export function whyTooFewFiles (limit = readLimit()): string | undefined {
  return limit < MIN_FILES
    ? `This process may only open ${limit} files and connections, and needs ${MIN_FILES} at least. ${REMEDY}`
    : undefined
}

/** Warns of a limit below the maximum of connections; `undefined` if it is high enough. */
export function warnOfFewFiles (limit = readLimit()): string | undefined {
  return limit < ENOUGH_FILES
    ? `this process may only open ${limit} files and connections: with more clients than that, new connections are closed without an answer. ${REMEDY}`
    : undefined
}
