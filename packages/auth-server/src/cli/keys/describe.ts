import type { KeyDescription } from '../../keys/life-cycle.js'
import { didYouMean } from '../nearest.js'
import { CommandError } from '../command-error.js'
import { quote } from '../text.js'

/** What is printed of a key, as JSON. */
export function fieldsOf ({ kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }: KeyDescription) {
  return { kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }
}

/** No signing key has this id. @param known those that there are, to suggest a near one */
export function unknownKeyError (kid: string, known: readonly string[] = []): CommandError {
  return new CommandError(`There is no signing key ${quote(kid)}.${didYouMean(kid, known)} To see all: frontdesk-auth keys list`)
}

/** A time for people: UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
