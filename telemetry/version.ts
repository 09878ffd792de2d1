import { readFileSync } from 'node:fs'

/** The version of this service, from its package.json. */
export function readVersion (): string {
  // as: npm's format.
  const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string }
  return version
}
