import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the stores of profiles and names can do. The person stays. */
export async function useProfiles ({ users, profiles, directory }: Pick<Stores, 'users' | 'profiles' | 'directory'>): Promise<void> {
  await users.add({ id: 'person-3', username: 'Ben', passwordHash: '$argon2id$', demo: false, name: 'Ben', locale: 'en' })
  await profiles.change('ben', { email: 'ben@example.com' })
  await profiles.change('ben', { emailVerified: true, picture: 'https://ben.example/' })
  await profiles.change('ben', { emailVerified: false, locale: null })
  await profiles.change('ben', { email: 'ben@example.com', emailVerified: true })
  await profiles.change('nobody', { name: 'Nobody' })
  await profiles.changeOwn('person-3', { name: 'Benno' })
  await profiles.changeOwn('person-3', { email: 'benno@example.com' }, 'ben@example.com')
  await profiles.verifyEmail({ id: 'person-3', passwordHash: '$argon2id$', epoch: 0 }, 'benno@example.com', () => true)
  await profiles.find('person-3')
  await directory.nameOf('person-3')
  await directory.usersOf('sector.example')
  await profiles.findAny('BEN')
  await profiles.findRecipients('benno@example.com')
  await profiles.findHolders('benno@example.com')
}
