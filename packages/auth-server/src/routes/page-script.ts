import { readFileSync } from 'node:fs'

/** The script of interactive pages. */
export const pageScript = read('page.js')

/** The script of pages that create or use a passkey. */
export const passkeyScript = read('passkey.js')

function read (name: string): string {
  return readFileSync(new URL(`../../../views/${name}`, import.meta.url), 'utf8')
}
