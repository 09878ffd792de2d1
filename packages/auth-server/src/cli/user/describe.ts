import type { User } from '../../stores/users.js'
import { didYouMean } from '../nearest.js'
import { CommandError } from '../command-error.js'
import { quote } from '../text.js'

/** The fields of a person for `--json`, without the password hash. */
export function fieldsOf ({ id, username, demo, disabledAt, createdAt }: User) {
  return { id, username, demo, disabledAt, createdAt }
}

/** Makes the error for an unknown user name. @param known the registered people, for a suggestion */
export function unknownUserError (username: string, known: readonly User[] = []): CommandError {
  const suggestion = didYouMean(username, known.map(user => user.username))
  return new CommandError(`No person has the user name ${quote(username)}.${suggestion} To see all: frontdesk-auth user list`)
}
