/** Where the metadata of an authorization server is, before the path of its issuer (RFC 8414 §3.1). */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'
