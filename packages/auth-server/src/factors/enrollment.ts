import { randomUUID } from 'node:crypto'
import { createSealedJwts } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { FORM_TOKEN_TTL } from '../lifetimes.js'
import { credentialState } from '../sign-in/password-link.js'
import type { Stores } from '../stores/stores.js'
import type { FactorId } from '../stores/users/takeovers.js'
import type { User } from '../stores/users/users.js'
import { makeRecoveryCodes } from './recovery-code.js'
import { linkOf, type Proof, type SetUpRule } from './set-up-rule.js'
import { keyUri, makeSecret, sealSecret, stepOf } from './totp.js'

/** An authenticator app that a user is setting up. */
export interface PendingApp {
  /** The state of the form, encrypted. */
  readonly sealed: string
  /** The secret, base32. */
  readonly secret: string
  /** The secret for a QR code. */
  readonly uri: string
}

/** The code that was typed, and the digest of the link's id if the form belongs to one. */
interface Confirmation { readonly userId: string, readonly code: string, readonly link?: string | undefined }

/** `wrong`: the code. `ended`: the form expired, the password, the access or the app was changed since, or the proof lost its effect. */
type Confirmed = 'wrong' | 'ended' |
  { readonly user: User, readonly factor: FactorId, readonly isReplacement: boolean, readonly recoveryCodes?: readonly string[] }

/** Sets up authenticator apps. Nothing is stored until a code proves that the app has the secret. */
export interface Enrollments {
  /** Begins after the password was verified. @param proof checked again when the app is stored */
  begin (user: User, proof: Proof, now: Date): Promise<PendingApp>
  /** The same again, after a wrong code; `null` if it has expired, or is not this user's. */
  resume (sealed: string, user: Pick<User, 'id' | 'username'>, now: Date): Promise<PendingApp | null>
  /** Stores the app if the code is right, with recovery codes if the user has none. */
  confirm (sealed: string, typed: Confirmation, now: Date): Promise<Confirmed>
}

interface Options {
  readonly stores: Pick<Stores, 'users' | 'factors'>
  readonly rule: Pick<SetUpRule, 'permits'>
  readonly secrets: Secrets
  /** Encrypts the secrets in the database. */
  readonly key: Uint8Array
  /** Name of the site, which the app shows. */
  readonly site: string
}

type Claims = { sub: string, state: string, secret: string, replaces: string | null, proof: Proof }

export function createEnrollments ({ stores: { users, factors }, rule, secrets, key, site }: Options): Enrollments {
  const jwts = createSealedJwts<Claims>(secrets, 'enrollments')
  const open = async (sealed: string, userId: string, now: Date) => {
    const claims = await jwts.open(sealed, FORM_TOKEN_TTL, now)
    return claims?.sub === userId ? claims : null
  }
  return {
    async begin (user, proof, now) {
      const [secret, before] = await Promise.all([makeSecret(), factors.authenticators.find(user.id)])
      const sealed = await jwts.seal({ sub: user.id, state: credentialState(user), secret, replaces: before?.id ?? null, proof }, now)
      return { sealed, secret, uri: await keyUri(secret, site, user.username) }
    },
    async resume (sealed, { id, username }, now) {
      const claims = await open(sealed, id, now)
      return claims && { sealed, secret: claims.secret, uri: await keyUri(claims.secret, site, username) }
    },
    async confirm (sealed, { userId, code, link }, now) {
      const [claims, user] = await Promise.all([open(sealed, userId, now), users.find({ id: userId })])
      if (claims === null || user === null || credentialState(user) !== claims.state) return 'ended'
      const { secret, replaces, proof } = claims
      if (link !== linkOf(proof)) return 'ended'
      const lastStep = await stepOf(secret, code, now)
      if (lastStep === null) return 'wrong'
      const { codes, hashes } = makeRecoveryCodes()
      const app = { id: randomUUID(), secret: await sealSecret(secret, key), lastStep, replaces, recoveryCodes: hashes }
      const enrolled = await factors.authenticators.enroll(user, app, rule.permits(proof))
      if (enrolled === null) return 'ended'
      const factor = { kind: 'totp', id: app.id } as const
      return { user, factor, isReplacement: replaces !== null, ...enrolled.areCodesNew && { recoveryCodes: codes } }
    }
  }
}
