import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What an authenticator signs for. */
interface Site { readonly origin: string, readonly rpId: string }

interface Signed extends Partial<Site> {
  readonly challenge: string
  /** Signature counter; default: 0, none. */
  readonly counter?: number
  /** Whether the user was verified. Default: yes. */
  readonly isVerified?: boolean
  /** Type of the client data. */
  readonly type?: string
}

/** A passkey in software (WebAuthn Level 3, ES256). Its responses are texts, as `JSON.stringify(credential)` makes them. */
export function createPasskey (site: Site) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  const clientData = ({ type, challenge, origin = site.origin }: Signed) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  /** §6.1. */
  const authenticatorData = ({ rpId = site.rpId, counter = 0, isVerified = true }: Signed, attested?: Buffer) => {
    const numbers = Buffer.alloc(5)
    numbers[0] = 0x01 | (isVerified ? 0x04 : 0) | (attested === undefined ? 0 : 0x40)
    numbers.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(Buffer.from(rpId)), numbers, attested ?? Buffer.alloc(0)])
  }
  const wrap = (response: Record<string, Buffer>) => JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]))
  })
  return {
    id,
    create (signed: Signed): string {
      const cose = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]), bytes(Buffer.from(x!, 'base64url')),
        Buffer.from([0x22]), bytes(Buffer.from(y!, 'base64url'))
      ])
      const data = authenticatorData(signed, Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, cose]))
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(data)
      ])
      return wrap({ clientDataJSON: clientData({ type: 'webauthn.create', ...signed }), attestationObject })
    },
    use (signed: Signed): string {
      const [data, clientDataJSON] = [authenticatorData(signed), clientData({ type: 'webauthn.get', ...signed })]
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey)
      return wrap({ clientDataJSON, authenticatorData: data, signature })
    }
  }
}

function sha256 (data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** A byte string in CBOR (RFC 8949 §3). */
function bytes (data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, data.length]), data])
}

/** A short text in CBOR. */
function text (value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}
