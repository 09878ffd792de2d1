import { createPublicKey, hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { jwtVerify } from 'jose'
import { checkProof } from './proof-check.js'

const { KEY_FILE, ISSUER, AUDIENCE, TOKEN_CACHE } = process.env
const key = createPublicKey({ key: JSON.parse(readFileSync(KEY_FILE, 'utf8')), format: 'jwk' })

/** A hook that verifies tokens with jose: each time or, with TOKEN_CACHE=yes, once. */
export const checkToken = TOKEN_CACHE === 'yes' ? cached : always

async function always ({ headers }) {
  await verify(headers.authorization.slice('Bearer '.length))
}

async function verify (token) {
  const { payload } = await jwtVerify(token, key, { issuer: ISSUER, audience: AUDIENCE, algorithms: ['ES256'], typ: 'at+jwt' })
  return payload
}

const seen = new Map()

function cached (request, reply, done) {
  const { headers } = request
  const isBound = headers.dpop !== undefined
  const token = headers.authorization.slice((isBound ? 'DPoP ' : 'Bearer ').length)
  const digest = hash('sha256', token, 'base64')
  const accept = ({ exp, cnf }) => {
    if (exp <= Date.now() / 1000 || cnf?.jkt !== (isBound ? checkProof(request) : undefined)) throw new Error('The token does not fit.')
  }
  const known = seen.get(digest)
  if (known !== undefined) {
    accept(known)
    return done()
  }
  verify(token).then(claims => { seen.set(digest, claims); accept(claims); done() }).catch(done)
}
