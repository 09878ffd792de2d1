import type { SigningAlg } from '@frontdesk/schemas/jwks'

/** Algorithms of ID tokens, the default first: every OpenID Provider has it (OpenID Connect Core §15.1). */
export const ID_TOKEN_ALGS: readonly SigningAlg[] = ['RS256', 'ES256', 'EdDSA', 'Ed25519']
