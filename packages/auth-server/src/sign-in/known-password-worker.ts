import { dictionary } from '@zxcvbn-ts/language-common'

/** Passwords that are guessed first, and words that are used in passwords: lower case. */
const known = new Set(Object.values(dictionary).flat())

/** Whether a password is on a list, in a thread of its own: the lists take some MB, and a while to read. */
export default function isKnown (password: string): boolean {
  return known.has(password)
}
