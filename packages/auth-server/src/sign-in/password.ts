import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'

/** The cost of argon2id: the library's default of 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). */
export const STANDARD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The cost of new hashes. Tests, which sign in thousands of times, lower it. */
export const cost: Record<keyof typeof STANDARD_COST, number> = { ...STANDARD_COST }

/** Longest password, in bytes of UTF-8. */
export const MAX_PASSWORD_BYTES = 1024

/** Priority of hashing threads below those that respond to requests (nice(2)). */
const NICE_INCREMENT = 19

/** Threads that check passwords: a hash takes a core for 6 to 10 ms. */
export const CORES = availableParallelism()

/** Checks that a thread holds, so that it need not wait for the main thread to hand it the next one. */
export const CHECKS_PER_THREAD = 2

/** Password checks that are running or handed to a thread. */
export const CHECKS = CORES * CHECKS_PER_THREAD

const threads = new Piscina({
  filename: new URL('verify-worker.js', import.meta.url).href,
  minThreads: 0,
  maxThreads: CORES,
  concurrentTasksPerWorker: CHECKS_PER_THREAD,
  idleTimeout: 60_000,
  niceIncrement: NICE_INCREMENT
})

/** Hashes a password, after NFC (RFC 8265 §4.2.2): a PHC string. Runs off the event loop. */
export async function hashPassword (password: string): Promise<string> {
  // Loaded on demand: a server verifies in threads, and rarely hashes.
  const { hash } = await import('@node-rs/argon2')
  return await hash(password.normalize('NFC'), cost)
}

/**
 * Verifies a password in constant time: one hash, even without an account, for which it returns `false`. Call at most
 * {@link CHECKS} concurrently: Piscina's queue is not fair.
 */
export async function verifyPassword (passwordHash: string | undefined, password: string): Promise<boolean> {
  const work = { passwordHash: passwordHash ?? dummyHash(), password: password.normalize('NFC') }
  const matches = await threads.run(work)
  return matches && passwordHash !== undefined
}

/** The hash to compare with when no account exists, so that the response time does not reveal it. No password matches. */
export function dummyHash (): string {
  return phc('EvnUaME6VjIyzhXAtqlqww', 'oYRCUVM5XvupAbwM/TUfiV9DZNFU98Wpz0Ya5G0qLyI')
}

/** A hash that no password matches: random, so computed from none. */
export function unusableHash (): string {
  const [salt, hash] = [16, 32].map(bytes => randomBytes(bytes).toString('base64').replace(/=+$/, '')) as [string, string] // as: two sizes.
  return phc(salt, hash)
}

/** A PHC string of argon2id. */
function phc (salt: string, hash: string): string {
  const { memoryCost, timeCost, parallelism } = cost
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hash}`
}
