import { totpCode } from '@frontdesk/test-kit/totp'
import { randomUUID } from 'node:crypto'
import { makeRecoveryCodes } from '../../src/factors/recovery-code.js'
import { makeSecret, sealSecret } from '../../src/factors/totp.js'
import { openDataKey } from '../../src/keys/data-key.js'
import type { Secrets } from '../../src/keys/seal.js'
import type { Stores } from '../../src/stores/stores.js'
import type { VerifiedUser } from '../../src/stores/users/verified-user.js'

/** Adds an authenticator app and recovery codes to a user. @param secrets those of the server: `loadConfig({ … })` */
export async function addAuthenticator ({ factors }: Pick<Stores, 'factors'>, secrets: Secrets, user: VerifiedUser) {
  const [id, secret, { codes, hashes }] = [randomUUID(), await makeSecret(), makeRecoveryCodes()]
  const sealed = await sealSecret(secret, await openDataKey(factors.key, secrets, 'factors'))
  const enrolled = await factors.authenticators.enroll(user, { id, secret: sealed, lastStep: 0, replaces: null, recoveryCodes: hashes })
  if (enrolled === null) throw new Error('not enrolled')
  return { id, secret, codes, code: (at?: Date) => totpCode(secret, at) }
}
