import type { ClientAuth } from './client-auth.js'
import { clientSecretBasic } from './client-secret-basic.js'
import { clientSecretPost } from './client-secret-post.js'
import { none } from './none.js'
import { privateKeyJwt } from './private-key-jwt.js'

/** Every client authentication method. To add one, add a file and a line. */
export const clientAuth: readonly ClientAuth[] = [
  none,
  clientSecretBasic,
  clientSecretPost,
  privateKeyJwt
]
