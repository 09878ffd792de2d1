import { dictionary } from '@zxcvbn-ts/language-common'

/** Common passwords, and words that are used in passwords, in lower case. */
const known = new Set(Object.values(dictionary).flat())

/** Whether a password is on a list. Runs in its own thread: the lists take some MB, and a while to load. */
export default function isKnown (password: string): boolean {
  return known.has(password)
}
