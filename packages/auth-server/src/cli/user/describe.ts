import { ATTRIBUTES, LABELS } from '../../people/profile.js'
import type { Profile } from '../../stores/profiles.js'
import type { User } from '../../stores/users.js'
import { didYouMean } from '@frontdesk/service-kit/nearest'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'

/** The fields of a person for `--json`, without the password hash. */
export function fieldsOf ({ id, username, demo, disabledAt, createdAt }: User) {
  return { id, username, demo, disabledAt, createdAt }
}

/** The attributes of a person for `--json`. */
export function attributesOf ({ name, givenName, familyName, email, emailVerified, locale, picture }: Profile): Profile {
  return { name, givenName, familyName, email, emailVerified, locale, picture }
}

/** The attributes that are set, as rows of a table. */
export function describeAttributes (person: Profile): string[][] {
  return ATTRIBUTES.flatMap(attribute => {
    const value = person[attribute]
    if (value === null) return []
    const state = attribute === 'email' ? ` (${person.emailVerified ? 'verified' : 'not verified'})` : ''
    return [[LABELS[attribute], `${quote(value)}${state}`]]
  })
}

/** Makes the error for an unknown user name. @param known the registered people, for a suggestion */
export function unknownUserError (username: string, known: readonly User[] = []): CommandError {
  const suggestion = didYouMean(username, known.map(user => user.username))
  return new CommandError(`No person has the user name ${quote(username)}.${suggestion} To see all: frontdesk-auth user list`)
}

/** Makes the error for a user name that another person has. */
export function takenError (username: string): CommandError {
  return new CommandError(`The user name ${quote(username)} is taken; upper and lower case make no difference.`)
}
