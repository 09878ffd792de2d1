import { metadataError } from '../oauth/errors.js'

/** The metadata for client authentication. */
interface AuthMetadata {
  token_endpoint_auth_method?: string
  token_endpoint_auth_methods_supported?: string[]
  jwks?: unknown
  jwks_uri?: string
}

/** Authentication methods, strongest first. Without `none`, which is used only if nothing else is named. */
const STRENGTH = ['private_key_jwt', 'client_secret_basic', 'client_secret_post']

/** The methods that metadata names, the preferred one first. */
export function namedMethods (metadata: AuthMetadata): string[] {
  const { token_endpoint_auth_method: preferred, token_endpoint_auth_methods_supported: all = [] } = metadata
  return [...new Set(preferred === undefined ? all : [preferred, ...all])]
}

/**
 * The strongest of the methods that metadata names (OpenID Connect RP Metadata Choices §2).
 * @param usual the method if it names none
 * @throws OAuthError `invalid_client_metadata` if it names several methods, and none can be used
 */
export function chooseMethod (metadata: AuthMetadata, usual: string): string {
  const named = namedMethods(metadata)
  if (named.length < 2) return named[0] ?? usual
  const can = (method: string) => method !== 'private_key_jwt' || (metadata.jwks ?? metadata.jwks_uri) !== undefined
  const strongest = STRENGTH.find(it => named.includes(it) && can(it))
  if (strongest !== undefined) {
    // Both ways to send a secret are equally strong: the client's preference decides.
    return named.find(it => strongest.startsWith('client_secret_') && it.startsWith('client_secret_') && STRENGTH.includes(it)) ?? strongest
  }
  throw metadataError(
    'token_endpoint_auth_methods_supported', 'None of these methods can be used here. private_key_jwt needs jwks or jwks_uri.'
  )
}
