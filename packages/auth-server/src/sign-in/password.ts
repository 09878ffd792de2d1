import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'

/** For argon2id, the library's default: 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What a password is compared with where there is no account, so that it costs as much; nobody's password. */
export const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$EvnUaME6VjIyzhXAtqlqww$oYRCUVM5XvupAbwM/TUfiV9DZNFU98Wpz0Ya5G0qLyI'

/** Longest password, in bytes of UTF-8. */
export const MAX_PASSWORD_BYTES = 1024

/** Shortest password at registration, in code points. */
export const MIN_PASSWORD_LENGTH = 8

/** How much less of a core a thread that hashes gets than one that answers requests, where both want it (nice(2)). */
const NICE = 19

/** Passwords that are worth checking at once: a hash takes a core for 6 to 10 ms. */
export const CORES = availableParallelism()

const threads = new Piscina({
  filename: new URL('verify-worker.js', import.meta.url).href,
  minThreads: 0,
  maxThreads: CORES,
  idleTimeout: 60_000,
  niceIncrement: NICE
})

/** Hashes a password, after NFC (RFC 8265 §4.2.2): a PHC string. Runs off the event loop. */
export async function hashPassword (password: string): Promise<string> {
  // A server checks passwords in threads, and hardly ever makes one.
  const { hash } = await import('@node-rs/argon2')
  return await hash(password.normalize('NFC'), COST)
}

/**
 * Tells whether a password is the one. Always costs one hash; without a hash to compare with, it is never the one. Of
 * more than {@link CORES} at once some may wait for long: Piscina's queue is not in turn.
 */
export async function verifyPassword (passwordHash: string | undefined, password: string): Promise<boolean> {
  const work = { passwordHash: passwordHash ?? NOBODY, password: password.normalize('NFC') }
  const matches = await threads.run(work)
  return matches && passwordHash !== undefined
}

/** Says why a password may not be chosen, in a sentence; `null` if it may. */
export function whyNotPassword (password: string): string | null {
  if ([...password].length < MIN_PASSWORD_LENGTH) return `The password is too short: at least ${MIN_PASSWORD_LENGTH} characters.`
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return `The password is too long: at most ${MAX_PASSWORD_BYTES} bytes.`
  return null
}
