import { Type, type Static } from '@sinclair/typebox'

/** A public key that verifies access tokens (RFC 7517 §4, RFC 7518 §6). */
export const PublicJwk = Type.Object({
  kty: Type.String(),
  kid: Type.String(),
  alg: Type.String(),
  use: Type.Literal('sig'),
  crv: Type.Optional(Type.String()),
  x: Type.Optional(Type.String()),
  y: Type.Optional(Type.String()),
  n: Type.Optional(Type.String()),
  e: Type.Optional(Type.String())
}, { additionalProperties: false })
export type PublicJwk = Static<typeof PublicJwk>

/** The key set at `/.well-known/jwks.json` (RFC 7517 §5). */
export const Jwks = Type.Object({ keys: Type.Array(PublicJwk) })
export type Jwks = Static<typeof Jwks>

/**
 * Signing algorithms of access tokens (RFC 7518 §3.1). `Ed25519` is RFC 9864's name of EdDSA with that curve; older libraries
 * know only `EdDSA` (RFC 8037 §3.1).
 */
export const SigningAlg = Type.Union([Type.Literal('ES256'), Type.Literal('RS256'), Type.Literal('EdDSA'), Type.Literal('Ed25519')])
export type SigningAlg = Static<typeof SigningAlg>

export const signingAlgs: readonly SigningAlg[] = SigningAlg.anyOf.map(it => it.const)
