import { createPublicKey, hash, verify } from 'node:crypto'

/** Used proofs; drops the oldest half when there are too many. */
let [used, before] = [new Set(), new Set()]

/** The thumbprint of the key of a DPoP proof, hand-written: its signature, method and access token, and that it was not used. */
export function checkProof ({ method, headers: { dpop, authorization } }) {
  const [header, payload, signature] = dpop.split('.')
  const { jwk } = decode(header)
  const { htm, ath, jti } = decode(payload)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned =
    verify('sha256', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  const [, token] = /^DPoP (.*)$/.exec(authorization) ?? []
  const fits = htm === method && (token === undefined || ath === hash('sha256', token, 'base64url'))
  if (!isSigned || !fits || used.has(jti) || before.has(jti)) throw new Error('The proof does not fit.')
  used.add(jti)
  if (used.size > 100_000) [used, before] = [new Set(), used]
  const { crv, kty, x, y } = jwk
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')
}

function decode (part) {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
