import type { User } from '../stores/users.js'
import { Refusal } from './refusal.js'
import { quote } from './text.js'

/** What `--json` prints of a person: never the password's hash. */
export function fieldsOf ({ id, username, demo, disabledAt, createdAt }: User) {
  return { id, username, demo, disabledAt, createdAt }
}

/** The user name names nobody. */
export function noSuchUser (username: string): Refusal {
  return new Refusal(`Nobody has the user name ${quote(username)}. To see all: frontdesk-auth user list`)
}
