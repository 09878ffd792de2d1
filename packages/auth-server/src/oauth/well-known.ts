/** Path of the metadata; the path of the issuer follows it (RFC 8414 §3.1). */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'
/** Path of the OpenID Provider metadata, after the issuer's path (OpenID Connect Discovery §4.1) or before it (RFC 8414 §5). */
export const OPENID_CONFIGURATION_PATH = '/.well-known/openid-configuration'
