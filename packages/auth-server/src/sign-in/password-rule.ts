import { Piscina } from 'piscina'
import { reason, type Reason } from '../languages/reason.js'
import { foldUsername } from '../stores/users/user-columns.js'
import type { PasswordConfig } from '../settings/passwords.js'
import type { Profile } from '../stores/users/profiles.js'
import { MAX_PASSWORD_BYTES } from './password.js'

/** How long the thread with the lists of known passwords stays idle, in milliseconds. */
const LISTS_IDLE_MS = 60_000

/** The owner of a password, whose names it must not be. */
export type PasswordOwner = { readonly username: string } & Partial<Pick<Profile, 'name' | 'givenName' | 'familyName' | 'email'>>

/** A new password, and the minimum length that the settings require, in code points. */
export interface NewPassword extends PasswordConfig { readonly password: string }

/**
 * Why a new password is not acceptable; `null` if it is (NIST SP 800-63B-4 §3.1.1.2). Checks lists of known passwords
 * in a thread.
 */
export async function whyNotPassword ({ password, passwordMin }: NewPassword, owner: PasswordOwner): Promise<Reason | null> {
  if ([...password].length < passwordMin) return reason('reason.password-short', { shortest: passwordMin })
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return reason('reason.password-long', { longest: MAX_PASSWORD_BYTES })
  if (knownNames(owner).has(bare(password))) return reason('reason.password-name')
  return await isKnown(password) ? reason('reason.password-known') : null
}

/** Names that others know, without case and separators. */
function knownNames ({ username, name, givenName, familyName, email }: PasswordOwner): Set<string> {
  const [given, family] = [givenName ?? '', familyName ?? '']
  const names = [username, name, given, family, given + family, family + given, email, email?.replace(/@[^@]*$/, '')]
  return new Set(names.map(it => bare(it ?? '')).filter(it => it !== ''))
}

function bare (text: string): string {
  return foldUsername(text).replace(/[\s._@+-]+/g, '')
}

let lists: Piscina<string, boolean> | undefined

/** Whether a password is on a list, case-insensitive. Starts the thread on demand. */
async function isKnown (password: string): Promise<boolean> {
  lists ??= new Piscina({
    filename: new URL('known-password-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 100,
    idleTimeout: LISTS_IDLE_MS
  })
  return await lists.run(foldUsername(password))
}
