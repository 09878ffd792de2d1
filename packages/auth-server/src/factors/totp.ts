import { seal, unseal } from '../keys/seal.js'
import type { Authenticators } from '../stores/users/authenticators.js'
import { codeOf, type Factor } from './factor.js'

/** Parameters that all authenticator apps support: RFC 6238 §1.2 and §4.1, RFC 4226 §5.3. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** What a code adds to `amr` (RFC 8176). */
export const TOTP_AMR = 'otp'

/** Time steps that the clock of a phone may be ahead or behind (RFC 6238 §5.2). */
const DRIFT = 1

/**
 * Codes of an authenticator app: time-based one-time passwords (TOTP, RFC 6238). No code works twice.
 * @param key encrypts the secrets
 */
export function createTotp (authenticators: Pick<Authenticators, 'find' | 'use'>, key: Uint8Array): Factor {
  return {
    kind: 'totp',
    amr: TOTP_AMR,
    async use (userId, form, now) {
      const code = codeOf(form)
      const app = isTotpCode(code) ? await authenticators.find(userId) : null
      if (app === null) return false
      // as: `sealSecret` wrote it.
      const secret = (await unseal(app.secret, key)).k!
      const step = await stepOf(secret, code, now)
      return step !== null && await authenticators.use({ userId, id: app.id, step }, now)
    }
  }
}

/** The time step of a code; `null` if it is wrong. @param secret base32 */
export async function stepOf (secret: string, code: string, now: Date): Promise<number | null> {
  if (!isTotpCode(code)) return null
  const { TOTP } = await import('otpauth')
  const totp = new TOTP({ ...PARAMETERS, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: DRIFT })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** Makes a secret of 160 bits (RFC 4226 §4), base32. */
export async function makeSecret (): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: 20 }).base32
}

/** Encrypts a secret for the database. */
export async function sealSecret (secret: string, key: Uint8Array): Promise<string> {
  return await seal({ kty: 'oct', k: secret }, key)
}

/** Longest name in a URI, in code points: a QR code holds less than 3 KB. */
const MAX_NAME = 64

/** The `otpauth://` URI of a secret, for a QR code. @param site, account their names, which the app shows */
export async function keyUri (secret: string, site: string, account: string): Promise<string> {
  const { TOTP } = await import('otpauth')
  const [issuer, label] = [site, account].map(name => [...name].slice(0, MAX_NAME).join('')) as [string, string] // as: two names.
  return new TOTP({ ...PARAMETERS, secret, issuer, label }).toString()
}

function isTotpCode (code: string): boolean {
  return code.length === PARAMETERS.digits && /^\d+$/.test(code)
}
