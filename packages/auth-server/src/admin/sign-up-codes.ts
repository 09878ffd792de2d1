import { quote } from '@frontdesk/service-kit/showable'
import { randomBytes } from 'node:crypto'
import { whyNotName } from '../input/text.js'
import { DAY_MS } from '../lifetimes.js'
import { hashSignUpCode, randomSignUpCode } from '../sign-in/sign-up-code.js'
import type { SignUpCode } from '../stores/users/sign-up-codes.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { assertValid, unknown } from './refusal.js'
import { findRoles, pickRole } from './roles.js'
import { reason } from '../languages/reason.js'

/** Maximum users and days of a code. */
export const [MAX_USES, MAX_DAYS] = [10_000, 365]

/** An invitation code to make. */
interface NewSignUpCode {
  readonly label: string
  /** How many people can sign up with it. */
  readonly uses: number
  readonly days: number
  /** Role that these people get. */
  readonly role?: string | undefined
}

/** A new invitation code. */
export type AddedSignUpCode = Omit<SignUpCode, 'createdBy'> & { readonly code: string }

/** Makes an invitation code, with which people sign up. Only its hash is stored. @throws Refusal */
export async function addSignUpCode (
  stores: Pick<Stores, 'roles'> & Recording, { label, uses, days, role }: NewSignUpCode, by: Actor
): Promise<AddedSignUpCode> {
  assertValid({ label: [whyNotName('label', label)] })
  // Never a built-in one: codes are passed on.
  if (role !== undefined) pickRole(await findRoles(stores), role)
  const [createdAt, id, code] = [stores.clock.now(), randomBytes(4).toString('hex'), randomSignUpCode()]
  const expiresAt = new Date(createdAt.getTime() + days * DAY_MS)
  const row = { id, label, usesLeft: uses, role: role ?? null, createdAt, expiresAt }
  const details = { id, uses, ...role !== undefined && { role } }
  const creator = { userId: by.kind === 'user' ? by.userId : null, clientId: by.kind === 'client' ? by.clientId : null }
  await recorded(stores, 'sign-up code add', { details }, by).signUpCodes.add({ ...row, ...creator, hash: hashSignUpCode(code) })
  return { ...row, code }
}

/** The codes that have not expired and been removed, newest first. */
export async function listSignUpCodes ({ signUpCodes }: Pick<Stores, 'signUpCodes'>): Promise<readonly SignUpCode[]> {
  return await signUpCodes.list()
}

/** Removes a code. People who signed up with it stay. @throws Refusal */
export async function removeSignUpCode (stores: Recording, id: string, by: Actor): Promise<{ readonly id: string }> {
  const { signUpCodes } = recorded(stores, 'sign-up code remove', { details: { id } }, by)
  if (!await signUpCodes.remove(id)) throw unknown('id', reason('reason.unknown-sign-up-code', { id: quote(id) }))
  return { id }
}
