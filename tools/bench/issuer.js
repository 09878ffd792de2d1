import { createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const AUDIENCE = 'https://customers.example'
const SCOPE = 'customer:read customer:write customer:delete'

/**
 * Signs the tokens of a run (ES256), and serves the key set.
 * @typedef {{ url: string, jwksUrl: string, audience: string, keyFile: string, token: (claims?: object) => string,
 *   stop: () => void }} Issuer
 * @param {string} dir where the public key is written, as a JWK
 * @returns {Promise<Issuer>}
 */
export async function startIssuer (dir) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' }
  const keyFile = join(dir, 'issuer.jwk.json')
  writeFileSync(keyFile, JSON.stringify(jwk))
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const url = 'https://issuer.example'
  const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid })
  return {
    url,
    jwksUrl: `http://127.0.0.1:${server.address().port}/jwks.json`,
    audience: AUDIENCE,
    keyFile,
    token (claims) {
      const iat = Math.floor(Date.now() / 1000)
      const payload = encode({
        iss: url,
        aud: AUDIENCE,
        sub: 'person',
        client_id: 'app',
        scope: SCOPE,
        iat,
        exp: iat + 86_400,
        jti: randomUUID(),
        ...claims
      })
      const signature = sign('sha256', Buffer.from(`${header}.${payload}`), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${header}.${payload}.${signature.toString('base64url')}`
    },
    stop: () => server.close()
  }
}

function encode (value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
