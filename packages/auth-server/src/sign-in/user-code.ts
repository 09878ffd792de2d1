import { randomInt } from 'node:crypto'

/** Characters of codes that people type: consonants, which form no words (RFC 8628 §6.1). */
const CHARACTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const [CODE_LENGTH, GROUP_LENGTH] = [8, 4]

/** A random user code, with 20^8 possible values. */
export function randomUserCode (): string {
  return randomCode(CODE_LENGTH)
}

/** A random code of another length. */
export function randomCode (length: number): string {
  return Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
}

/** Reads a code as typed, in any case, with or without spaces and dashes. */
export function readUserCode (typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, '')
}

/** Whether a text can be a user code. If not, it does not count as a guess. */
export function isUserCode (text: string): boolean {
  return text.length === CODE_LENGTH
}

/** A user code as users see it: `BCDF-GHJK`. */
export function showUserCode (userCode: string): string {
  return isUserCode(userCode) ? inGroups(userCode) : userCode
}

/** A code in groups of four. */
export function inGroups (code: string): string {
  return (code.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? []).join('-')
}
