import { readFileSync } from 'node:fs'

/** The version that a package.json states. */
export function readVersion (packageJson: URL): string {
  // as: npm's format.
  const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }
  return version
}
