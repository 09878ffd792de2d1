import { integer, oneOf, parseList, text } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Schemes that no operator can admit: browsers and systems handle them, or the callback is misspelled. */
export const RESERVED_SCHEMES: readonly string[] = [
  'about', 'android-app', 'blob', 'chrome', 'chrome-extension', 'data', 'edge', 'feed', 'file', 'filesystem', 'ftp', 'ftps', 'http',
  'https', 'intent', 'jar', 'javascript', 'localhost', 'mailto', 'moz-extension', 'resource', 'safari-extension', 'sftp', 'sms', 'ssh',
  'tel', 'urn', 'vbscript', 'view-source', 'ws', 'wss'
]

/** Whether an operator can admit a scheme for callbacks: a private-use one without a dot. Those with a dot need no permission. */
function isAdmissibleScheme (scheme: string): boolean {
  return /^[a-z][a-z0-9+-]{1,49}$/.test(scheme) && !RESERVED_SCHEMES.includes(scheme)
}

/** Registrations of an address in an hour, if no setting says otherwise. */
const USUAL_LIMIT = 20

/** The settings of apps that register themselves. */
export const registrationSettings = {
  REGISTRATION: oneOf(
    'Whether apps can register themselves (RFC 7591). `token` requires a token, which `frontdesk-auth registration token` prints; `open` does not.',
    ['off', 'token', 'open']
  ),
  CLIENT_METADATA_DOCUMENTS: oneOf(
    'Whether a `client_id` can be the URL of a document that describes the app (draft-ietf-oauth-client-id-metadata-document).',
    ['off', 'on']
  ),
  REGISTRATION_LIMIT: Type.Optional(
    integer(
      `Apps that one address can register or change in an hour; \`0\`: any number. Default: ${USUAL_LIMIT}, but \`0\` in development if \`ISSUER\` is loopback.`,
      { minimum: 0, maximum: 100_000, unit: 'registrations' }
    )
  ),
  REGISTRATION_RESOURCES: text(
    'Comma-separated resources that self-registered apps can request tokens for (RFC 8707), in addition to `DEFAULT_AUDIENCE`.',
    'be a comma-separated list of absolute addresses without fragments',
    { pattern: '^([A-Za-z][A-Za-z0-9+.-]*:[^\\s#,]+(, *[A-Za-z][A-Za-z0-9+.-]*:[^\\s#,]+)*)?$', default: '' }
  ),
  CALLBACK_SCHEMES: text(
    'Comma-separated private-use schemes without a dot that callbacks can have, such as `cursor` for `cursor://…`. Any program on a device can claim such a scheme.',
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
  /** Most registrations and changes of them from one address in an hour; 0: any number. */
  readonly registrationLimit: number
  /** Private-use schemes without a dot that callbacks may have. */
  readonly callbackSchemes: readonly string[]
}

/** @param settings checked @param isLocal whether this is a development whose issuer is loopback */
export function readRegistration (settings: Static<TObject<typeof registrationSettings>>, isLocal: boolean): RegistrationConfig {
  return {
    registration: settings.REGISTRATION,
    clientMetadataDocuments: settings.CLIENT_METADATA_DOCUMENTS === 'on',
    registrationResources: parseList(settings.REGISTRATION_RESOURCES),
    registrationLimit: settings.REGISTRATION_LIMIT ?? (isLocal ? 0 : USUAL_LIMIT),
    callbackSchemes: parseList(settings.CALLBACK_SCHEMES)
  }
}
