import { fileURLToPath } from 'node:url'

/** A file of the clone. */
export function inClone (path) {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** The `DATABASE_URL` of a service. */
export function databaseUrl ({ dir, databaseUrl }) {
  return databaseUrl ?? `file:${dir}/data.db`
}
