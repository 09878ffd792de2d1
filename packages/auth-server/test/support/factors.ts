import { createPasskey, type Passkey } from '@frontdesk/test-kit/passkey'
import { totpCode } from '@frontdesk/test-kit/totp'
import { randomUUID } from 'node:crypto'
import { makeRecoveryCodes } from '../../src/factors/recovery-code.js'
import { challengeOf, createRelyingParty } from '../../src/factors/relying-party.js'
import { makeSecret, sealSecret } from '../../src/factors/totp.js'
import { openDataKey } from '../../src/keys/data-key.js'
import type { Secrets } from '../../src/keys/seal.js'
import type { Stores } from '../../src/stores/stores.js'
import type { FactorPermit } from '../../src/stores/users/add-factor.js'
import type { VerifiedUser } from '../../src/stores/users/verified-user.js'

/** Permits every set-up. */
export const anyone: FactorPermit = { mayEnroll: () => true }

/** Adds an authenticator app and recovery codes to a user. @param secrets those of the server: `loadConfig({ … })` */
export async function addAuthenticator ({ factors }: Pick<Stores, 'factors'>, secrets: Secrets, user: VerifiedUser) {
  const [id, secret, { codes, hashes }] = [randomUUID(), await makeSecret(), makeRecoveryCodes()]
  const sealed = await sealSecret(secret, await openDataKey(factors.key, secrets, 'factors'))
  const app = { id, secret: sealed, lastStep: 0, replaces: null, recoveryCodes: hashes }
  const enrolled = await factors.authenticators.enroll(user, app, anyone)
  if (enrolled === null) throw new Error('not enrolled')
  return { id, secret, codes, code: (at?: Date) => totpCode(secret, at) }
}

export const SITE = { origin: 'https://id.example', rpId: 'id.example' }

export const relyingParty = createRelyingParty({
  issuer: SITE.origin, rpId: SITE.rpId, relatedOrigins: ['https://id.example.de'], site: 'Frontdesk'
})

/** The user handle of a user's passkeys. */
export function handleOf (id: string): string {
  return relyingParty.creationOptions('', { id, username: '' }, []).user.id
}

/** Adds a passkey to a user. */
export async function addPasskey ({ factors }: Pick<Stores, 'factors'>, user: VerifiedUser): Promise<Passkey> {
  const passkey = createPasskey(SITE)
  const verified = await relyingParty.verifyCreation(passkey.create({ challenge: 'first', user: handleOf(user.id) }), 'first')
  const enrolled = verified && await factors.passkeys.enroll(user, { ...verified, name: 'Phone' }, ['x'], anyone)
  if (enrolled === null) throw new Error('not enrolled')
  return passkey
}

/** The form of a page with a form token. */
export function passkeyForm (passkey: Pick<Passkey, 'use'>, transaction: string, signed: object = {}) {
  return { transaction, code: passkey.use({ challenge: challengeOf(transaction), ...signed }) }
}
