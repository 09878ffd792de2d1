import { authorizationCode } from './authorization-code.js'
import { clientCredentials } from './client-credentials.js'
import type { Grant } from './grant.js'
import { refreshToken } from './refresh-token.js'

/** Every grant of the token endpoint: to add one is to add a file and a line. */
export const grants: readonly Grant[] = [
  authorizationCode,
  refreshToken,
  clientCredentials
]
