import { ACRS, type Acr } from '@frontdesk/schemas/acr'
import { integer, oneOf, parseList, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** What exports and erasing require of the user's sign-in (RFC 9470). */
export interface StepUp {
  /** Minimum `acr`; `undefined`: any. */
  readonly acr: Acr | undefined
  /** Maximum age of the sign-in, in seconds; `undefined`: any. */
  readonly maxAge: number | undefined
  /** Clients whose tokens are accepted without a user. */
  readonly clients: readonly string[]
}

export const stepUpSettings = {
  STEP_UP_ACR: Type.Optional(oneOf(
    'Minimum `acr` of the sign-in to export or erase customers, such as `urn:frontdesk:acr:mfa` for a second factor.', ACRS, null
  )),
  STEP_UP_MAX_AGE: Type.Optional(integer('Maximum age of the sign-in to export or erase customers, in seconds.',
    { unit: 'seconds', minimum: 60, maximum: 86_400 })),
  STEP_UP_CLIENTS: Type.Optional(text(
    'Comma-separated client ids that can export and erase customers without a user, despite `STEP_UP_ACR` and `STEP_UP_MAX_AGE`.',
    'be a comma-separated list of client ids, in visible ASCII characters', { pattern: '^[\\x20-\\x7e]+$' }
  ))
}

type Settings = Static<TObject<typeof stepUpSettings>>

export const stepUpRules = {
  relations: [{
    names: ['STEP_UP_ACR', 'STEP_UP_MAX_AGE', 'STEP_UP_CLIENTS'],
    whyNot: settings => settings.STEP_UP_CLIENTS !== undefined && readStepUp(settings) === null
      ? 'STEP_UP_ACR or STEP_UP_MAX_AGE must be set where STEP_UP_CLIENTS is: without them, no operation requires a user.'
      : null
  }]
} satisfies SettingsRules<Settings>

/** Reads the settings; `null`: nothing is required. */
export function readStepUp (settings: Settings): StepUp | null {
  const { STEP_UP_ACR: acr, STEP_UP_MAX_AGE: maxAge, STEP_UP_CLIENTS: clients = '' } = settings
  return (acr ?? maxAge) === undefined ? null : Object.freeze({ acr, maxAge, clients: parseList(clients) })
}
