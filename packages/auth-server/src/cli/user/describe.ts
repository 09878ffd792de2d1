import type { User } from '../../stores/users.js'
import { didYouMean } from '../nearest.js'
import { CommandError } from '../command-error.js'
import { quote } from '../text.js'

/** What `--json` prints of a person: never the password's hash. */
export function fieldsOf ({ id, username, demo, disabledAt, createdAt }: User) {
  return { id, username, demo, disabledAt, createdAt }
}

/** No person has this user name. @param known the registered people, to suggest a near one */
export function unknownUserError (username: string, known: readonly User[] = []): CommandError {
  return new CommandError(`No person has the user name ${quote(username)}.${didYouMean(username, known.map(user => user.username))} To see all: frontdesk-auth user list`)
}
