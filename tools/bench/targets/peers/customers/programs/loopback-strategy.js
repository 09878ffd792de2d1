import { HttpErrors } from '@loopback/rest'
import { securityId } from '@loopback/security'
import jsonwebtoken from 'jsonwebtoken'
import { promisify } from 'node:util'
import { audience, issuer, key } from './key.js'

const verify = promisify(jsonwebtoken.verify)

/** Does the work of @loopback/authentication-jwt on each request, for ES256: that supports only a shared secret. */
export class TokenStrategy {
  name = 'jwt'

  async authenticate ({ headers }) {
    const [type, token] = headers.authorization?.split(' ') ?? []
    if (type !== 'Bearer') throw new HttpErrors.Unauthorized('Authorization header not found.')
    try {
      const { sub } = await verify(token, key, { algorithms: ['ES256'], issuer, audience })
      return { [securityId]: sub, id: sub }
    } catch (error) {
      throw new HttpErrors.Unauthorized(`Error verifying token: ${error.message}`)
    }
  }
}
