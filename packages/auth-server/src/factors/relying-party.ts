import type { AuthenticationResponseJSON, PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { ListedPasskey, NewPasskey, StoredPasskey } from '../stores/users/passkeys.js'
import type { User } from '../stores/users/users.js'

/** Algorithms of signatures that are offered, preferred first: EdDSA, ES256, RS256 (RFC 9053 §2, RFC 8812 §2). */
const ALGORITHMS = [-8, -7, -257]

/** Longest credential ID, in characters: 1023 bytes (WebAuthn Level 3 §4). */
const MAX_ID = 1_364

/** Longest public key, in characters: more than RSA with 8192 bits needs. */
const MAX_PUBLIC_KEY = 2_048

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
  /**
   * Options of `navigator.credentials.create()`.
   * @param passkeys those that the user has
   * @param isConditional whether the browser creates the passkey without asking: it then neither verifies the user nor whether one is there
   */
  creationOptions (
    challenge: string, owner: PasskeyOwner, passkeys: readonly ListedPasskey[], isConditional?: boolean
  ): PublicKeyCredentialCreationOptionsJSON
  /** Verifies a new passkey (§7.1); `null`: it is invalid. @param isConditional as for `creationOptions` */
  verifyCreation (response: string, challenge: string, isConditional?: boolean): Promise<Omit<NewPasskey, 'name'> | null>
  /** The id of the passkey in a signed response; `null`: it is none. */
  idIn (response: string): string | null
  /**
   * Verifies a signature (§7.2), with user verification, and that it names the passkey's user. Returns its counter, which the caller
   * compares; `null`: it is invalid.
   */
  verifyUse (response: string, challenge: string, passkey: StoredPasskey): Promise<bigint | null>
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
  // Issuers on one host share the RP ID: the handle differs, so that passkeys of one do not replace those of another.
  const handleOf = (userId: string) => hashOpaqueToken(`${issuer} ${userId}`)
  return {
    creationOptions: (challenge, { id, username }, passkeys, isConditional = false) => ({
      challenge,
      rp: { id: rpId, name: site },
      user: { id: handleOf(id), name: username, displayName: username },
      pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
      excludeCredentials: passkeys.map(({ id }) => ({ type: 'public-key', id })),
      authenticatorSelection: {
        residentKey: 'required', requireResidentKey: true, userVerification: isConditional ? 'preferred' : 'required'
      },
      attestation: 'none'
    }),
    verifyCreation: (text, challenge, isConditional = false) => orNull(async () => {
      // as: the library checks it.
      const response = parse(text) as unknown as RegistrationResponseJSON
      const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await loadLibrary()
      if (!isAttestationAccepted(decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject)))) return null
      if (await isFramed(response.response)) return null
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected(challenge),
        response,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserPresence: !isConditional,
        requireUserVerification: !isConditional
      })
      if (registrationInfo === undefined) return null
      const { id, counter, ...credential } = registrationInfo.credential
      const publicKey = isoBase64URL.fromBuffer(credential.publicKey)
      return isId(id) && publicKey.length <= MAX_PUBLIC_KEY ? { id, publicKey, counter: BigInt(counter) } : null
    }),
    idIn (text) {
      if (!text.startsWith('{')) return null
      try {
        const { id } = parse(text)
        return typeof id === 'string' && isId(id) ? id : null
      } catch {
        return null
      }
    },
    verifyUse: (text, challenge, { id, userId, publicKey }) => orNull(async () => {
      // as: the library checks it.
      const response = parse(text) as unknown as AuthenticationResponseJSON
      const [{ verifyAuthenticationResponse }] = await loadLibrary()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected(challenge),
        response,
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 }
      })
      const isOwn = response.response.userHandle === handleOf(userId) && !await isFramed(response.response)
      return verified && isOwn ? BigInt(authenticationInfo.newCounter) : null
    })
  }
}

/** Loads the library at the first use. */
async function loadLibrary () {
  return await Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])
}

/**
 * Whether an attestation has no certificate: none is requested, and browsers remove attestations with one (WebAuthn Level 3 §5.1.3,
 * §8.2). So the certificates of strangers are never parsed.
 */
function isAttestationAccepted (attestation: AttestationObject): boolean {
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** Whether a page of another origin embedded the page (WebAuthn Level 3 §5.8.1): the pages forbid it. */
async function isFramed ({ clientDataJSON }: { readonly clientDataJSON: string }): Promise<boolean> {
  const [, { decodeClientDataJSON }] = await loadLibrary()
  const { crossOrigin = false, topOrigin } = decodeClientDataJSON(clientDataJSON)
  return crossOrigin || topOrigin !== undefined
}

/** Whether a text can be a credential ID, base64url. */
function isId (text: string): boolean {
  return text.length <= MAX_ID && /^[\w-]+$/.test(text)
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
