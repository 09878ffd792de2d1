import { readFileSync } from 'node:fs'

/** Reads the version in a package.json. */
export function readVersion (packageJson: URL): string {
  // as: npm's format.
  const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }
  return version
}
