import { randomInt } from 'node:crypto'

/** Characters of user codes: consonants, which form no words (RFC 8628 §6.1). */
const CHARACTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const CODE_LENGTH = 8

/** A random user code, with 20^8 possible values. */
export function randomUserCode (): string {
  return Array.from({ length: CODE_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
}

/** Reads a user code as typed, in any case, with or without spaces and dashes. */
export function readUserCode (typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, '')
}

/** Whether a text can be a user code. If not, it does not count as a guess. */
export function isUserCode (text: string): boolean {
  return text.length === CODE_LENGTH
}

/** A user code as users see it: `BCDF-GHJK`. */
export function showUserCode (userCode: string): string {
  return userCode.length === CODE_LENGTH ? `${userCode.slice(0, CODE_LENGTH / 2)}-${userCode.slice(CODE_LENGTH / 2)}` : userCode
}
