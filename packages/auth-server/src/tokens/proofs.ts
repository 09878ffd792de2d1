import { createNonces } from '@frontdesk/service-kit/dpop/nonces'
import { createCheckProof, type CheckProof } from '@frontdesk/service-kit/dpop/proof'
import { deriveKeys, type Secrets } from '../keys/seal.js'
import type { SpentIds } from '../stores/operation/spent-ids.js'

/** DPoP proofs of clients (RFC 9449). */
export interface Proofs {
  check: CheckProof
  /** The nonce for a client's next proof. */
  nonce (now: Date): string
}

/** Makes {@link Proofs}. The previous secret stays valid during a rotation. @param used stores used proofs */
export function createProofs (secrets: Secrets, used: Pick<SpentIds, 'add'>): Proofs {
  const nonces = createNonces(deriveKeys(secrets, 'DPoP nonces'))
  return { check: createCheckProof({ nonces, remember: used.add }), nonce: nonces.current }
}
