import { isAdmissibleScheme, RESERVED_SCHEMES } from './callback-schemes.js'
import { oneOf, parseList, text } from '@frontdesk/service-kit/settings'
import type { Static, TObject } from '@sinclair/typebox'

/** The settings of apps that register themselves. */
export const registrationSettings = {
  REGISTRATION: oneOf(
    'Whether apps may register themselves (RFC 7591): `token`: with a token that `frontdesk-auth registration token` prints; `open`: also without.',
    ['off', 'token', 'open']
  ),
  CLIENT_METADATA_DOCUMENTS: oneOf(
    'Whether apps may have a URL as `client_id`, and a document there that describes them (draft-ietf-oauth-client-id-metadata-document).',
    ['off', 'on']
  ),
  REGISTRATION_RESOURCES: text(
    'Resources that apps which registered themselves may request tokens for (RFC 8707), in addition to `DEFAULT_AUDIENCE`; separated by commas.',
    'be absolute addresses without fragment, separated by commas',
    { pattern: '^([A-Za-z][A-Za-z0-9+.-]*:[^\\s#,]+(, *[A-Za-z][A-Za-z0-9+.-]*:[^\\s#,]+)*)?$', default: '' }
  ),
  CALLBACK_SCHEMES: text(
    'Private-use schemes without a dot that callbacks may have, such as `cursor` for `cursor://…`; separated by commas. Any program on a device can claim such a scheme.',
    `be private-use schemes without a dot, in lower case and without a colon, separated by commas, such as cursor; none of ${RESERVED_SCHEMES.join(', ')}`,
    { default: '' }
  )
}

/** Checks of single settings. */
export const registrationForms = {
  CALLBACK_SCHEMES: (list: string) => list.split(',').every(it => isAdmissibleScheme(it.trim()))
}

/** How apps may register themselves. */
export interface RegistrationConfig {
  /** `POST /register`: with an initial access token, also without one, or not at all. */
  readonly registration: 'off' | 'token' | 'open'
  /** Whether documents describe apps, at the URL that is their client_id. */
  readonly clientMetadataDocuments: boolean
  /** Resources that these apps may request tokens for, in addition to the default audience. */
  readonly registrationResources: readonly string[]
  /** Private-use schemes without a dot that callbacks may have. */
  readonly callbackSchemes: readonly string[]
}

/** @param settings checked */
export function readRegistration (settings: Static<TObject<typeof registrationSettings>>): RegistrationConfig {
  return {
    registration: settings.REGISTRATION,
    clientMetadataDocuments: settings.CLIENT_METADATA_DOCUMENTS === 'on',
    registrationResources: parseList(settings.REGISTRATION_RESOURCES),
    callbackSchemes: parseList(settings.CALLBACK_SCHEMES)
  }
}
