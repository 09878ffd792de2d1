import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What an authenticator signs for. */
interface Site { readonly origin: string, readonly rpId: string }

interface Signed extends Partial<Site> {
  readonly challenge: string
  /** Signature counter; default: 0, none. */
  readonly counter?: number
  /** Whether the user was verified. Default: yes. */
  readonly isVerified?: boolean
  /** Whether the user was present. Default: yes. */
  readonly isPresent?: boolean
  /** Type of the client data. */
  readonly type?: string
  /** Further client data. */
  readonly clientData?: object
}

interface Created extends Signed {
  /** User handle, base64url, which uses return. */
  readonly user?: string
  /** Public key in COSE instead of its own. */
  readonly publicKey?: Buffer
  /** Format of the attestation. Default: `none`. */
  readonly format?: string
  /** Statement of the attestation, CBOR. `packed` has one by default, which it signs itself. */
  readonly statement?: Buffer
  /** `x5c` of this one, CBOR. Default: none. */
  readonly certificates?: Buffer
}

export interface Used extends Signed {
  /** User handle, base64url; `null`: none. Default: that of the creation. */
  readonly user?: string | null
}

/** A passkey in software (WebAuthn Level 3, ES256). Its responses are texts, as `JSON.stringify(credential)` makes them. */
export interface Passkey {
  readonly id: string
  create (signed: Created): string
  use (signed: Used): string
}

export function createPasskey (site: Site): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  let handle: string | undefined
  const clientDataOf = ({ type, challenge, origin = site.origin, clientData }: Signed) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }))
  const signatureOf = (data: Buffer, clientDataJSON: Buffer) => sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey)
  /** §6.1. */
  const authenticatorData = ({ rpId = site.rpId, counter = 0, isVerified = true, isPresent = true }: Signed, attested?: Buffer) => {
    const numbers = Buffer.alloc(5)
    numbers[0] = (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | (attested === undefined ? 0 : 0x40)
    numbers.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(Buffer.from(rpId)), numbers, attested ?? Buffer.alloc(0)])
  }
  const wrap = (response: Record<string, Buffer | undefined>) => JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes?.toString('base64url')]))
  })
  return {
    id,
    create ({ user = handle, format = 'none', publicKey: other, statement, certificates, ...signed }) {
      handle = user
      const cose = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]), bytes(Buffer.from(x!, 'base64url')),
        Buffer.from([0x22]), bytes(Buffer.from(y!, 'base64url'))
      ])
      const data = authenticatorData(signed, Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, other ?? cose]))
      const clientDataJSON = clientDataOf({ type: 'webauthn.create', ...signed })
      // §8.2: `{ alg: -7, sig, x5c }`.
      const self = () => Buffer.concat([
        Buffer.from([certificates === undefined ? 0xa2 : 0xa3]), text('alg'), Buffer.from([0x26]),
        text('sig'), bytes(signatureOf(data, clientDataJSON)), ...certificates === undefined ? [] : [text('x5c'), certificates]
      ])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]), text('fmt'), text(format),
        text('attStmt'), statement ?? (format === 'packed' ? self() : Buffer.from([0xa0])),
        text('authData'), bytes(data)
      ])
      return wrap({ clientDataJSON, attestationObject })
    },
    use ({ user = handle, ...signed }) {
      const [data, clientDataJSON] = [authenticatorData(signed), clientDataOf({ type: 'webauthn.get', ...signed })]
      return wrap({
        clientDataJSON,
        authenticatorData: data,
        signature: signatureOf(data, clientDataJSON),
        userHandle: user == null ? undefined : Buffer.from(user, 'base64url')
      })
    }
  }
}

function sha256 (data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** A byte string in CBOR (RFC 8949 §3). */
function bytes (data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(data.length < 256 ? [0x58, data.length] : [0x59, data.length >> 8, data.length & 0xff]), data])
}

/** A short text in CBOR. */
function text (value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}
