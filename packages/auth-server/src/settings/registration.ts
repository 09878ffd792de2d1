import { integer, oneOf, parseList, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static, type TObject } from '@sinclair/typebox'

/** Schemes that an operator cannot allow: browsers and systems handle them, or the callback is misspelled. */
export const RESERVED_SCHEMES: readonly string[] = [
  'about', 'android-app', 'blob', 'chrome', 'chrome-extension', 'data', 'edge', 'feed', 'file', 'filesystem', 'ftp', 'ftps', 'http',
  'https', 'intent', 'jar', 'javascript', 'localhost', 'mailto', 'moz-extension', 'resource', 'safari-extension', 'sftp', 'sms', 'ssh',
  'tel', 'urn', 'vbscript', 'view-source', 'ws', 'wss'
]

/** Whether an operator can allow a scheme for callbacks. Private-use schemes with a dot need no permission. */
function isAdmissibleScheme (scheme: string): boolean {
  return /^[a-z][a-z0-9+-]{1,49}$/.test(scheme) && !RESERVED_SCHEMES.includes(scheme)
}

const DEFAULT_LIMIT = 20

const resources = (description: string) => text(description, 'be a comma-separated list of absolute addresses without fragments', {
  pattern: '^([A-Za-z][A-Za-z0-9+.-]*:[^\\s#,]+(, *[A-Za-z][A-Za-z0-9+.-]*:[^\\s#,]+)*)?$', default: ''
})

/** Settings for clients that register themselves. */
export const registrationSettings = {
  REGISTRATION: oneOf(
    'Whether apps can register themselves (RFC 7591). `token` requires a token, which `frontdesk-auth registration token` prints; `open` does not.',
    ['off', 'token', 'open']
  ),
  CLIENT_METADATA_DOCUMENTS: oneOf(
    'Whether a `client_id` can be the URL of a document that describes the app (draft-ietf-oauth-client-id-metadata-document).',
    ['off', 'on']
  ),
  REGISTRATION_LIMIT: Type.Optional(integer(
    `Apps that one address can register or change in an hour; \`0\`: any number. Default: ${DEFAULT_LIMIT}, but \`0\` in development if \`ISSUER\` is loopback.`,
    { minimum: 0, maximum: 100_000, unit: 'registrations' }
  )),
  REGISTRATION_RESOURCES: resources(
    'Comma-separated resources that self-registered apps can request tokens for (RFC 8707), in addition to `DEFAULT_AUDIENCE`.'
  ),
  MCP_RESOURCES: resources(
    'Comma-separated resources of MCP servers, such as the `/mcp` of customer-service. Self-registered apps can request tokens for these, too. The consent page says that an app that requests one is an assistant.'
  ),
  CALLBACK_SCHEMES: text(
    'Comma-separated private-use schemes without a dot that callbacks can have, such as `cursor` for `cursor://…`. Any program on a device can claim such a scheme.',
    `be private-use schemes without a dot, in lower case and without a colon, separated by commas, such as cursor; none of ${RESERVED_SCHEMES.join(', ')}`,
    { default: '' }
  )
}

type Settings = Static<TObject<typeof registrationSettings>> & { readonly ISSUER?: string, readonly DEFAULT_AUDIENCE?: string }

/** Rules of {@link registrationSettings}. */
export const registrationRules = {
  forms: { CALLBACK_SCHEMES: (list: string) => list.split(',').every(it => isAdmissibleScheme(it.trim())) },
  relations: [{
    names: ['MCP_RESOURCES', 'ISSUER', 'DEFAULT_AUDIENCE'],
    whyNot: ({ MCP_RESOURCES, ISSUER, DEFAULT_AUDIENCE }) => {
      const others = [ISSUER, DEFAULT_AUDIENCE].map(it => it?.replace(/\/$/, ''))
      return parseList(MCP_RESOURCES).some(it => others.includes(it.replace(/\/$/, '')))
        ? 'MCP_RESOURCES must name neither ISSUER nor DEFAULT_AUDIENCE: a token for an MCP server is valid only there.'
        : null
    }
  }]
} satisfies SettingsRules<Settings>

/** How clients can register themselves. */
export interface RegistrationConfig {
  /** Whether `POST /register` is off, requires an initial access token, or is open. */
  readonly registration: 'off' | 'token' | 'open'
  /** Whether a `client_id` can be the URL of a metadata document. */
  readonly clientMetadataDocuments: boolean
  /** Resources that these clients can request tokens for, in addition to the default audience. Contains those of MCP servers. */
  readonly registrationResources: readonly string[]
  /** Resources of MCP servers: the apps that request them are assistants. */
  readonly mcpResources: readonly string[]
  /** Maximum registrations and updates from an address in an hour; 0: unlimited. */
  readonly registrationLimit: number
  /** Private-use schemes without a dot that callbacks can have. */
  readonly callbackSchemes: readonly string[]
}

/** @param isLocal whether this is a development with a loopback issuer */
export function readRegistration (settings: Static<TObject<typeof registrationSettings>>, isLocal: boolean): RegistrationConfig {
  const mcpResources = parseList(settings.MCP_RESOURCES)
  return {
    registration: settings.REGISTRATION,
    clientMetadataDocuments: settings.CLIENT_METADATA_DOCUMENTS === 'on',
    registrationResources: [...new Set([...parseList(settings.REGISTRATION_RESOURCES), ...mcpResources])],
    mcpResources,
    registrationLimit: settings.REGISTRATION_LIMIT ?? (isLocal ? 0 : DEFAULT_LIMIT),
    callbackSchemes: parseList(settings.CALLBACK_SCHEMES)
  }
}
