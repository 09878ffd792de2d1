/** Algorithms of DPoP proofs: `Ed25519` is the name that RFC 9864 gives to EdDSA with that curve. */
export const DPOP_ALGS = ['ES256', 'EdDSA', 'Ed25519']
