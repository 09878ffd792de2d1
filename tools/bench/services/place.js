import { fileURLToPath } from 'node:url'

/** A file of the clone. */
export function inClone (path) {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** Where a service on a database keeps its data: its `DATABASE_URL`. */
export function databaseUrl ({ dir, databaseUrl }) {
  return databaseUrl ?? `file:${dir}/data.db`
}
