import type { AuthenticationResponseJSON, PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ListedPasskey, NewPasskey } from '../stores/users/passkeys.js'
import type { User } from '../stores/users/users.js'

/** Formats of attestation that are accepted: none is requested, and these need no certificate of a manufacturer (WebAuthn Level 3 §8). */
const FORMATS: readonly string[] = ['none', 'packed']

/** Algorithms of signatures that are offered, preferred first: EdDSA, ES256, RS256 (RFC 9053 §2, RFC 8812 §2). */
const ALGORITHMS = [-8, -7, -257]

/** Longest credential ID, in characters: 1023 bytes (WebAuthn Level 3 §4). */
const MAX_ID = 1_364

interface Options {
  readonly issuer: string
  readonly rpId: string
  /** Origins outside of the RP ID that can use its passkeys (WebAuthn Level 3 §5.11). */
  readonly relatedOrigins: readonly string[]
  /** Name of the site, which browsers show. */
  readonly site: string
}

type PasskeyOwner = Pick<User, 'id' | 'username'>

/** The WebAuthn relying party (WebAuthn Level 3 §7). Responses are what `PublicKeyCredential.toJSON()` returns, as text. */
export interface RelyingParty {
  /** Options of `navigator.credentials.create()`. @param passkeys those that the user has */
  creationOptions (challenge: string, owner: PasskeyOwner, passkeys: readonly ListedPasskey[]): PublicKeyCredentialCreationOptionsJSON
  /** Verifies a new passkey (§7.1); `null`: it is invalid. */
  verifyCreation (response: string, challenge: string): Promise<Omit<NewPasskey, 'name'> | null>
  /** The id of the passkey in a signed response; `null`: it is none. */
  idIn (response: string): string | null
  /** Verifies a signature (§7.2), with user verification. Returns its counter; `null`: it is invalid. */
  verifyUse (response: string, challenge: string, passkey: Pick<NewPasskey, 'id' | 'publicKey' | 'counter'>): Promise<bigint | null>
}

/**
 * The challenge of a page: a digest of its form token, which is random, expires, and is bound to the browser. Verify the token first.
 * @param transaction the form token
 */
export function challengeOf (transaction: string): string {
  return hashOpaqueToken(transaction)
}

export function createRelyingParty ({ issuer, rpId, relatedOrigins, site }: Options): RelyingParty {
  const origins = [new URL(issuer).origin, ...relatedOrigins]
  const expected = (challenge: string) => ({
    expectedChallenge: challenge, expectedOrigin: origins, expectedRPID: rpId, requireUserVerification: true
  })
  return {
    creationOptions: (challenge, { id, username }, passkeys) => ({
      challenge,
      rp: { id: rpId, name: site },
      // Issuers on one host share the RP ID: the handle differs, so that passkeys of one do not replace those of another.
      user: { id: hashOpaqueToken(`${issuer} ${id}`), name: username, displayName: username },
      pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
      excludeCredentials: passkeys.map(({ id }) => ({ type: 'public-key', id })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none'
    }),
    verifyCreation: (text, challenge) => orNull(async () => {
      // as: the library checks it.
      const response = parse(text) as unknown as RegistrationResponseJSON
      const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
        import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')
      ])
      const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
      if (!FORMATS.includes(attestation.get('fmt'))) return null
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected(challenge), response, supportedAlgorithmIDs: ALGORITHMS
      })
      if (registrationInfo === undefined || registrationInfo.credential.id.length > MAX_ID) return null
      const { id, publicKey, counter } = registrationInfo.credential
      return { id, publicKey: isoBase64URL.fromBuffer(publicKey), counter: BigInt(counter) }
    }),
    idIn (text) {
      if (!text.startsWith('{')) return null
      try {
        const { id } = parse(text)
        return typeof id === 'string' && id.length <= MAX_ID ? id : null
      } catch {
        return null
      }
    },
    verifyUse: (text, challenge, { id, publicKey, counter }) => orNull(async () => {
      // as: the library checks it.
      const response = parse(text) as unknown as AuthenticationResponseJSON
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected(challenge),
        response,
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: Number(counter) }
      })
      return verified ? BigInt(authenticationInfo.newCounter) : null
    })
  }
}

function parse (text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new SyntaxError('not an object')
  return { ...value }
}

/** The library throws an Error for each rule that a response breaks. */
async function orNull<T> (verify: () => Promise<T | null>): Promise<T | null> {
  try {
    return await verify()
  } catch {
    return null
  }
}
