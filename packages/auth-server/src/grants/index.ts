import { authorizationCode } from './authorization-code.js'
import { clientCredentials } from './client-credentials.js'
import { deviceCode } from './device-code.js'
import type { GrantType } from './grant-type.js'
import { refreshToken } from './refresh-token.js'

/** Every grant type of the token endpoint. To add one, add a file and a line. */
export const grantTypes: readonly GrantType[] = [
  authorizationCode,
  refreshToken,
  clientCredentials,
  deviceCode
]
