import { randomUUID } from 'node:crypto'
import type { Person, Profile } from '../../stores/profiles.js'
import type { Stores } from '../../stores/stores.js'
import type { User } from '../../stores/users.js'
import { assertNone } from '@frontdesk/service-kit/cli/errors'
import { whyNotName } from '../../input/text.js'
import { takenError, unknownUserError } from './describe.js'
import { assertVerifiable, readProfileOptions, type ProfileOptions } from './profile-options.js'

/** Reads with which attributes a person is to be registered. @throws CommandError with every error, also of the user name */
export function readNewPerson (username: string, options: ProfileOptions): Partial<Profile> {
  const { change: profile, faults } = readProfileOptions(options)
  assertNone(whyNotName('user name', username), ...faults)
  assertVerifiable(profile)
  return profile
}

/** Registers a person. @throws CommandError if the user name is taken */
export async function register (
  { users, profiles }: Stores,
  username: string,
  passwordHash: string,
  profile: Partial<Profile>
): Promise<{ user: User, person: Person }> {
  if (!await users.add({ id: randomUUID(), username, passwordHash, demo: false, ...profile })) throw takenError(username)
  const [user, person] = [await users.find(username), await profiles.findByUsername(username)]
  if (user === null || person === null) throw unknownUserError(username)
  return { user, person }
}
