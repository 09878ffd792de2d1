import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the stores of people who sign up can do. */
export async function useSignUps (
  { signUps, signUpCodes, removeExpired }: Pick<Stores, 'signUps' | 'signUpCodes' | 'removeExpired'>, hence: (seconds: number) => Date
): Promise<void> {
  const creator = { userId: null, clientId: null }
  const code = { id: '1', hash: 'code', label: 'Partners', usesLeft: 1, role: null, ...creator, createdAt: hence(0), expiresAt: hence(60) }
  await signUpCodes.add(code)
  await signUpCodes.isLive('code')
  await signUpCodes.list()
  const person = { id: 'person-9', username: 'Ivy', passwordHash: '$argon2id$', email: 'ivy@example.com', name: 'Ivy', termsVersion: '1' }
  const link = { idHash: 'sign-up-1', keptUntil: hence(60), codeHash: 'code', needsCode: true }
  await signUps.add(person, link)
  await signUps.add(person, { ...link, idHash: 'sign-up-2' })
  const other = { ...person, id: 'person-10', email: 'other@example.com' }
  await signUps.add(other, { ...link, idHash: 'sign-up-3', codeHash: undefined, needsCode: false })
  await removeExpired('sign-up code', hence(120))
  await signUpCodes.remove('1')
}
