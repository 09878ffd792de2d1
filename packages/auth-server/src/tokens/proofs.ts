import { createNonces } from '@frontdesk/service-kit/dpop/nonces'
import { createCheckProof, type CheckProof } from '@frontdesk/service-kit/dpop/proof'
import { deriveKey } from '../keys/seal.js'
import type { ClientAssertions } from '../stores/clients/client-assertions.js'

/** The proofs that clients send (RFC 9449). */
export interface Proofs {
  check: CheckProof
  /** The nonce for the next proof of a client. */
  nonce (now: Date): string
}

/** Makes {@link Proofs}. The previous secret stays valid during a rotation. @param used keeps the proofs that were used */
export function createProofs (
  { secretKey, previousSecretKey }: { secretKey: string, previousSecretKey?: string | undefined },
  used: Pick<ClientAssertions, 'add'>
): Proofs {
  const previous = previousSecretKey === undefined ? [] : [deriveKey(previousSecretKey, 'DPoP nonces')]
  const nonces = createNonces([deriveKey(secretKey, 'DPoP nonces'), ...previous])
  return { check: createCheckProof({ nonces, remember: used.add }), nonce: nonces.current }
}
