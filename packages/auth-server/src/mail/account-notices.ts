import type { Text } from '../languages/translator.js'
import type { Notice } from './notices.js'

/** The password was set by someone who knew the previous one, or with a link. */
export const passwordChanged: Notice = { what: 'password-changed' }

/** The password was set by an operator. */
export const passwordSet: Notice = { what: 'password-set', advice: 'notice.advice-administrator' }

/** For the previous address: an attacker controls the new one. */
export const addressChanged: Notice = { what: 'address-changed', advice: 'notice.advice-address' }

/** A sign-in with a new browser. `browser`, `app`: `undefined` if unknown, or not to be named. */
interface NewSignIn { readonly at: Date, readonly browser: Text | undefined, readonly app: string | undefined }

export function signedIn ({ at, browser = { key: 'notice.sign-in.unknown' }, app }: NewSignIn): Notice {
  const facts = { at, browser }
  return {
    what: 'sign-in',
    facts: app === undefined
      ? { key: 'notice.sign-in.facts', values: facts }
      : { key: 'notice.sign-in.facts-app', values: { ...facts, app } }
  }
}

/** @param count how many in a day */
export function manyWrongCodes (count: number): Notice {
  return { what: 'wrong-codes', values: { count } }
}
