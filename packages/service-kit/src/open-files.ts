/** Files that are open at once while the modules of a service are loaded, and some more. */
const LEAST = 256

/** Enough for thousands of connections. */
const PLENTY = 4_096 + LEAST

const REMEDY = 'Raise the limit: `ulimit -n 65536` in a shell, LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 for a container.'

/** How many files this process may open; `Infinity` where the system does not limit it, or does not say. */
function readLimit (): number {
  // as: Node.js writes a report of this form, on Windows without the limits.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Infinity
}

/** Why a service cannot start with so few open files; `undefined` if it can. Connections are open files too. */
export function whyTooFewFiles (limit = readLimit()): string | undefined {
  return limit < LEAST ? `This process may only open ${limit} files and connections, and needs ${LEAST} at least. ${REMEDY}` : undefined
}

/** What to look out for with so few open files; `undefined` if there are plenty. */
export function warnOfFewFiles (limit = readLimit()): string | undefined {
  return limit < PLENTY ? `this process may only open ${limit} files and connections: with more clients than that, new connections are closed without an answer. ${REMEDY}` : undefined
}
