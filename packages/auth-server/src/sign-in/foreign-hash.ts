import { pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { reason, type Reason } from '../languages/reason.js'

/** Parameters of a hash, from its text. */
type Parameters = Readonly<Record<string, string | undefined>>

/** A kind of password hash that can be imported. */
interface HashKind {
  /** Its texts, with the parameters as named groups. */
  readonly pattern: RegExp
  /** The highest cost; `null`: the hash keeps it. */
  readonly whyNot: (parameters: Parameters) => Reason | null
  /** How long a check takes, in microseconds, roughly: to find the slowest kind. */
  readonly cost: (parameters: Parameters) => number
  /** Checks a password. Takes as long as the hash costs. */
  readonly verify: (hash: string, password: string, parameters: Parameters) => boolean | Promise<boolean>
}

/** Base64 with or without padding; passlib writes `.` for `+`. */
const [SALT, HASH] = ['salt', 'hash'].map(name => `\\$(?<${name}>[A-Za-z0-9+/.]{1,200}={0,2})`)

const MEBIBYTE = 1024 ** 2
const MAX_BCRYPT_COST = 14
const MAX_PBKDF2_ITERATIONS = 2_000_000
/** With a smaller N, r·p could be so large that it takes longer than N·r·p says. */
const MIN_SCRYPT_LN = 10
const MAX_SCRYPT_WORK = 2 ** 23
const MAX_MIB = 256
/** Maximum memory of argon2 over all passes. */
const MAX_ARGON2_MIB = 1_024
/** In bytes (RFC 9106 §3.1). */
const MIN_ARGON2_SALT = 8
/** Hashes of fewer bytes could be guessed, and longer ones take longer. */
const [MIN_BYTES, MAX_BYTES] = [16, 64]
const LENGTHS = { shortest: MIN_BYTES, longest: MAX_BYTES }

/** The kinds of hashes, by the name in their texts. */
const kinds: Readonly<Record<string, HashKind>> = {
  bcrypt: {
    // The last characters of salt and hash have unused bits, which the library requires to be 0.
    pattern: /^\$2[aby]\$(?<log>\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/,
    whyNot: ({ log }) => Number(log) >= 4 && Number(log) <= MAX_BCRYPT_COST ? null : reason('hash.bcrypt', { maximum: MAX_BCRYPT_COST }),
    cost: ({ log }) => 50 * 2 ** Number(log),
    async verify (hash, password) {
      // Loaded on demand: most servers have none.
      const { default: bcrypt } = await import('@node-rs/bcrypt')
      return bcrypt.verifySync(password, hash)
    }
  },
  pbkdf2: {
    pattern: new RegExp(`^\\$pbkdf2(?:-(?<digest>sha1|sha256|sha512))?\\$(?:i=)?(?<iterations>\\d{1,9})(?:,l=\\d{1,3})?${SALT}${HASH}$`),
    whyNot: parameters => isLength(parameters) && isPbkdf2Affordable(parameters)
      ? null
      : reason('hash.pbkdf2', { ...LENGTHS, maximum: MAX_PBKDF2_ITERATIONS }),
    cost: parameters => 0.6 * blocksOf(parameters) * Number(parameters.iterations),
    verify: (_, password, { digest = 'sha1', iterations, salt = '', hash = '' }) => isEqual(hash, length =>
      pbkdf2Sync(password, decode(salt), Number(iterations), length, digest))
  },
  scrypt: {
    pattern: new RegExp(`^\\$scrypt\\$ln=(?<ln>\\d{1,2}),r=(?<r>\\d{1,5}),p=(?<p>\\d{1,5})${SALT}${HASH}$`),
    whyNot: parameters => isLength(parameters) && isScryptAffordable(parameters)
      ? null
      : reason('hash.scrypt', { ...LENGTHS, ln: MIN_SCRYPT_LN, memory: MAX_MIB }),
    cost: parameters => 0.35 * scryptWork(parameters),
    verify: (_, password, { ln, r, p, salt = '', hash = '' }) => isEqual(hash, length => scryptSync(password, decode(salt), length, {
      N: 2 ** Number(ln), r: Number(r), p: Number(p), maxmem: 2 * MAX_MIB * MEBIBYTE
    }))
  },
  argon2: {
    pattern: new RegExp(`^\\$argon2(?:id|i|d)\\$v=(?:16|19)\\$m=(?<m>\\d{1,7}),t=(?<t>\\d{1,4}),p=(?<p>\\d{1,3})${SALT}${HASH}$`),
    whyNot: parameters => isPhc(parameters) && isLength(parameters) && isArgon2Affordable(parameters)
      ? null
      : reason('hash.argon2', { ...LENGTHS, salt: MIN_ARGON2_SALT, memory: MAX_MIB, work: MAX_ARGON2_MIB }),
    cost: ({ m, t }) => 0.25 * Number(m) * Number(t),
    async verify (hash, password) {
      const { default: argon2 } = await import('@node-rs/argon2')
      return argon2.verifySync(hash, password)
    }
  }
}

/** The names of the kinds. */
const hashKinds = Object.keys(kinds)

/** A hash to store. `foreignCost`: see the column. */
interface ForeignHash { readonly passwordHash: string, readonly foreignCost: number }

/**
 * Reads a hash of another server: a PHC string, or bcrypt's. Returns the reason if it cannot be checked, or costs too much: a stored
 * hash whose check throws would fail the sign-ins of others, whose time it decides.
 */
export function readForeignHash (text: string): ForeignHash | Reason {
  const [kind, parameters] = find(text) ?? []
  if (kind === undefined || parameters === undefined) return reason('hash.unknown', { kinds: hashKinds.join(', ') })
  return kind.whyNot(parameters) ?? { passwordHash: text, foreignCost: Math.max(1, Math.ceil(kind.cost(parameters))) }
}

/** Checks a password against a stored hash. Blocks the thread for as long as the hash costs. @throws if the text is not a hash */
export async function verifyHash (hash: string, password: string): Promise<boolean> {
  const [kind, parameters] = find(hash) ?? []
  if (kind === undefined || parameters === undefined) throw new Error('a stored password hash has an unknown form')
  return await kind.verify(hash, password, parameters)
}

function find (text: string): [HashKind, Parameters] | undefined {
  for (const kind of Object.values(kinds)) {
    const match = kind.pattern.exec(text)
    if (match !== null) return [kind, match.groups ?? {}]
  }
  return undefined
}

function decode (text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}

function isEqual (hash: string, derive: (length: number) => Buffer): boolean {
  const expected = decode(hash)
  return timingSafeEqual(derive(expected.length), expected)
}

function isLength ({ hash = '' }: Parameters): boolean {
  const { length } = decode(hash)
  return length >= MIN_BYTES && length <= MAX_BYTES
}

/** Whether a text is as the PHC string format writes it; the argon2 library throws for any other one. */
function isPhc ({ m = '', t = '', p = '', salt = '', hash = '' }: Parameters): boolean {
  const isCanonical = [salt, hash].every(part => decode(part).toString('base64').replace(/=+$/, '') === part)
  return isCanonical && decode(salt).length >= MIN_ARGON2_SALT && [m, t, p].every(number => String(Number(number)) === number)
}

function isPbkdf2Affordable (parameters: Parameters): boolean {
  const iterations = Number(parameters.iterations)
  return iterations >= 1 && blocksOf(parameters) * iterations <= MAX_PBKDF2_ITERATIONS
}

/** The number of blocks that PBKDF2 derives (RFC 8018 §5.2): each costs all iterations. */
function blocksOf ({ digest = 'sha1', hash = '' }: Parameters): number {
  const bytes = { sha1: 20, sha256: 32, sha512: 64 }[digest] ?? 1
  return Math.ceil(decode(hash).length / bytes)
}

function scryptWork ({ ln, r, p }: Parameters): number {
  return 2 ** Number(ln) * Number(r) * Number(p)
}

function isScryptAffordable (parameters: Parameters): boolean {
  const [ln, r, p] = [Number(parameters.ln), Number(parameters.r), Number(parameters.p)]
  const memory = 128 * 2 ** ln * r
  // RFC 7914 §2.
  const isDefined = ln >= MIN_SCRYPT_LN && ln < 16 * r && p >= 1
  return isDefined && scryptWork(parameters) <= MAX_SCRYPT_WORK && memory <= MAX_MIB * MEBIBYTE
}

function isArgon2Affordable ({ m, t, p }: Parameters): boolean {
  const [memory, passes, lanes] = [Number(m), Number(t), Number(p)]
  return passes >= 1 && lanes >= 1 && memory >= 8 * lanes && memory <= MAX_MIB * 1_024 && memory * passes <= MAX_ARGON2_MIB * 1_024
}
