import { randomInt } from 'node:crypto'

/** Characters of user codes: consonants, so that no words come about (RFC 8628 §6.1). */
const CHARACTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const LENGTH = 8

/** A random user code, with 20^8 possible values. */
export function randomUserCode (): string {
  return Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
}

/** A user code as a person types it, in any case, with or without spaces and dashes. */
export function readUserCode (typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, '')
}

/** Whether a text can be a user code at all: else it is no guess. */
export function isUserCode (text: string): boolean {
  return text.length === LENGTH
}

/** A user code as people see it: `BCDF-GHJK`. */
export function showUserCode (userCode: string): string {
  return userCode.length === LENGTH ? `${userCode.slice(0, LENGTH / 2)}-${userCode.slice(LENGTH / 2)}` : userCode
}
