import { SigningAlg, signingAlgs } from '@frontdesk/schemas/jwks'
import { joinOr } from '@frontdesk/service-kit/join-or'
import { text } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Settings of the keys that sign access tokens. */
export const keySettings = {
  SIGNING_ALG: Type.Union(SigningAlg.anyOf, {
    default: 'ES256',
    rule: `be ${joinOr(signingAlgs)}`,
    description: `Algorithm that signs access tokens: ${joinOr(signingAlgs)}.`
  }),
  KEY_ROTATION: text(
    'Days between new signing keys. With `off`, only `frontdesk-auth keys rotate` creates one.',
    'be a number of days from 1 to 9999, or off',
    { pattern: '^(off|[1-9][0-9]{0,3})$', default: '90' }
  )
}

export interface KeyConfig {
  readonly signingAlg: SigningAlg
  /** Age at which a signing key gets a successor, in milliseconds; `undefined`: only by command. */
  readonly keyRotation: number | undefined
}

export function readKeys ({ SIGNING_ALG: signingAlg, KEY_ROTATION: rotation }: Static<TObject<typeof keySettings>>): KeyConfig {
  return { signingAlg, keyRotation: rotation === 'off' ? undefined : Number(rotation) * DAY_MS }
}
