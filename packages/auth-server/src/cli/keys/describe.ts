import type { KeyDescription } from '../../keys/life-cycle.js'
import { didYouMean } from '../nearest.js'
import { CommandError } from '../command-error.js'
import { quote } from '../text.js'

/** The fields of a key for `--json`. */
export function fieldsOf ({ kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }: KeyDescription) {
  return { kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }
}

/** Makes the error for an unknown key id. @param known the existing ids, for a suggestion */
export function unknownKeyError (kid: string, known: readonly string[] = []): CommandError {
  return new CommandError(`There is no signing key ${quote(kid)}.${didYouMean(kid, known)} To see all: frontdesk-auth keys list`)
}
