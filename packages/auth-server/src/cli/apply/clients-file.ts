import { Type, type Static } from '@sinclair/typebox'
import { TOKEN_TTL } from '../../lifetimes.js'

const list = (description: string) => Type.Optional(Type.Array(Type.String(), { uniqueItems: true, default: [], description }))

/** An app as a file of apps has it: the names are those of `client list --json`. */
export const ClientEntry = Type.Object({
  clientId: Type.String({ description: 'Identifier: 1 to 100 of the characters A-Z a-z 0-9 . _ -' }),
  name: Type.String({ description: 'What the consent page calls it.' }),
  callbacks: list('Where answers may go, byte for byte.'),
  resources: list('Resources that it may ask tokens for (RFC 8707), in addition to the default of the server.'),
  defaultScope: Type.Optional(Type.String({ default: '', description: 'Space-separated scopes of a request that names none.' })),
  accessTokenTtl: Type.Optional(Type.Union([Type.Integer(TOKEN_TTL), Type.Null()], { default: null, description: 'Lifetime of its access tokens in seconds; null: the server default.' })),
  implicit: Type.Optional(Type.String({ default: 'allowed', pattern: '^(allowed|warn|off|until \\d{4}-\\d\\d-\\d\\d(T\\S+)?)$', description: 'Whether it may use the implicit grant: allowed, warn, until and a date, or off.' })),
  grantTypes: list('Grants that it may use at the token endpoint, such as authorization_code.'),
  tokenEndpointAuthMethod: Type.Optional(Type.String({ default: 'none', description: 'How it authenticates at the token endpoint, such as client_secret_basic. Its secrets are made with client secret add.' })),
  pkce: Type.Optional(Type.Union([Type.Literal('required'), Type.Literal('optional')], { default: 'required', description: 'Whether its requests for a code need PKCE; optional only for an app that authenticates.' })),
  jwks: Type.Optional(Type.Union([Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true }), { minItems: 1 }) }), Type.Null()], { default: null, description: 'Its public keys, a JWK Set, for private_key_jwt.' })),
  native: Type.Optional(Type.Boolean({ default: false, description: 'Whether it runs on the user\'s machine: loopback callbacks match with any port.' })),
  disabled: Type.Optional(Type.Boolean({ default: false, description: 'Whether it is refused everything.' }))
}, { additionalProperties: false })

/** An app with everything said of it. */
export type ClientEntry = Required<Static<typeof ClientEntry>>

/** A file of apps, for `apply` and from `export`. */
export const ClientsFile = Type.Object({
  clients: Type.Array(ClientEntry, { description: 'The apps that are to be there.' })
}, { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Apps of a Frontdesk auth-server', additionalProperties: false })
export type ClientsFile = Static<typeof ClientsFile>

/** What every app has of which nothing is said. */
export const defaults: Omit<ClientEntry, 'clientId' | 'name'> = {
  callbacks: [], resources: [], defaultScope: '', accessTokenTtl: null, implicit: 'allowed', grantTypes: [], tokenEndpointAuthMethod: 'none', pkce: 'required', jwks: null, native: false, disabled: false
}
