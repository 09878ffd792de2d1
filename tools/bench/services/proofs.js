import { generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto'

/** A key that signs DPoP proofs (RFC 9449) with ES256, in the load generator. */
export function makeProofs () {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' })
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: { crv, kty, x, y } })
  return {
    /** Thumbprint (RFC 7638 §3). */
    jkt: hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url'),
    /** @param {{ method: string, url: string, nonce: string | undefined, token?: string }} request */
    sign ({ method, url, nonce, token }) {
      const ath = token === undefined ? undefined : hash('sha256', token, 'base64url')
      const input = `${header}.${encode({ jti: randomUUID(), htm: method, htu: url, iat: Math.floor(Date.now() / 1000), nonce, ath })}`
      return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    }
  }
}

function encode (value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
