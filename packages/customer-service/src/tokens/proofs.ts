import { createNonces } from '@frontdesk/service-kit/dpop/nonces'
import { createCheckProof, ProofError, type ProvenRequest } from '@frontdesk/service-kit/dpop/proof'
import { proofInvalid, proofNonceMissing } from '../problems/access.js'
import type { UsedProofs } from '../stores/proofs.js'
import { proofChecked } from '../telemetry/events.js'

/** Checks DPoP proofs of access tokens (RFC 9449 §7). */
export interface Proofs {
  /** Returns the nonce for a client's next proof. */
  nonce (): Promise<string>
  /**
   * Checks the proof of a request and marks it as used. Returns the thumbprint of its key.
   * @throws ProblemError `proof-invalid`, `proof-nonce-missing`
   */
  check (sent: readonly string[], request: ProvenRequest): Promise<string>
}

/** Creates {@link Proofs}. The first request with a proof reads the key for nonces. */
export function createProofs (used: UsedProofs): Proofs {
  let ready: ReturnType<typeof prepare> | undefined
  const parts = () => {
    ready ??= prepare().catch(error => {
      ready = undefined
      throw error
    })
    return ready
  }

  async function prepare () {
    const nonces = createNonces([await used.nonceKey()])
    return { nonces, checkProof: createCheckProof({ nonces, remember: used.add }) }
  }

  return {
    nonce: async () => (await parts()).nonces.current(used.now()),
    async check ([proof, ...others], request) {
      const { checkProof } = await parts()
      try {
        if (proof === undefined) throw new ProofError('invalid_dpop_proof', 'The request has no DPoP proof.')
        if (others.length > 0) throw new ProofError('invalid_dpop_proof', 'The request has more than one DPoP proof.')
        const jkt = await checkProof(proof, request, used.now())
        proofChecked.publish({ outcome: 'accepted' })
        return jkt
      } catch (error) {
        if (!(error instanceof ProofError)) throw error
        const isNonce = error.code === 'use_dpop_nonce'
        proofChecked.publish({ outcome: isNonce ? 'without nonce' : 'refused' })
        throw isNonce
          ? proofNonceMissing('Make the proof again, with the nonce in the header DPoP-Nonce of this response.', { reason: error.message })
          : proofInvalid(error.message, { cause: error })
      }
    }
  }
}
