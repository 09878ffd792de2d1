import { authorizationCode } from './authorization-code.js'
import { clientCredentials } from './client-credentials.js'
import type { GrantType } from './grant-type.js'
import { refreshToken } from './refresh-token.js'

/** Every grant of the token endpoint: to add one is to add a file and a line. */
export const grants: readonly GrantType[] = [
  authorizationCode,
  refreshToken,
  clientCredentials
]
