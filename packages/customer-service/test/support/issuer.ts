import { SignJWT, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters } from 'jose'
import { randomUUID, type webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A key of the issuer: the half that signs, and the half that is published. */
export interface Key {
  privateKey: webcrypto.CryptoKey
  publicKey: webcrypto.CryptoKey
  jwk: JWK & { kid: string, alg: string }
}

/** What a token is to hold; `undefined` leaves a claim or a header parameter out. */
export interface Mint {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  key?: Key
}

const EVERYTHING = 'customer:read customer:write customer:delete'

/** Makes a key pair. */
export async function makeKey (kid: string = randomUUID(), alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, publicKey, jwk: { ...await exportJWK(publicKey), kid, alg, use: 'sig' } }
}

/** An authorization server as far as this service sees it: an address with keys, and tokens. */
export async function startIssuer (t: Test, answer?: (response: ServerResponse) => void) {
  const key = await makeKey()
  const state: { keys: JWK[], fetches: number, isAway: boolean, now?: number } = { keys: [key.jwk], fetches: 0, isAway: false }
  const server = createServer((request, response) => {
    state.fetches++
    if (state.isAway) request.socket.destroy()
    else if (answer !== undefined) answer(response)
    else {
      response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ keys: state.keys, revoked: [], next: '0', more: false, now: state.now }))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  // as: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const audience = 'http://localhost:3001'

  async function mint ({ claims = {}, header = {}, key: signer = key }: Mint = {}) {
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: url,
      aud: audience,
      sub: 'person-1',
      client_id: 'desk',
      scope: EVERYTHING,
      jti: randomUUID(),
      iat: now,
      exp: now + 600,
      ...claims
    }
    const protectedHeader = { alg: signer.jwk.alg, kid: signer.jwk.kid, typ: 'at+jwt', ...header } satisfies JWTHeaderParameters
    return await new SignJWT(payload).setProtectedHeader(protectedHeader).sign(signer.privateKey)
  }

  return { url, audience, key, state, mint }
}
