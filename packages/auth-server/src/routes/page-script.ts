import { readFileSync } from 'node:fs'
import { DATE_FORMAT } from '../languages/translator.js'

/** The script of interactive pages. */
export const pageScript = `const DATE_FORMAT = ${JSON.stringify(DATE_FORMAT)}\n${read('page.js')}`

/** The script of pages that create or use a passkey. */
export const passkeyScript = read('passkey.js')

/** The script of pages with a user name and a password. */
export const signInScript = pageScript + passkeyScript

/** The script of the account page right after a sign-in. */
export const upgradeScript = pageScript + read('passkey-upgrade.js')

function read (name: string): string {
  return readFileSync(new URL(`../../../views/${name}`, import.meta.url), 'utf8')
}
