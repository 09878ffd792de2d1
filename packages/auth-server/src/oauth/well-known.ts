/** Path of the metadata; the path of the issuer follows it (RFC 8414 §3.1). */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'
