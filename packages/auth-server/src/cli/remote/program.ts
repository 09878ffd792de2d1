import type { Program } from '@frontdesk/service-kit/sign-in/authorization-server'
import { adminScopes } from '../../oauth/admin-scopes.js'
import { DEVICE_CODE } from '../../oauth/grant-types.js'

/** The scopes that `frontdesk-auth login` requests. */
export const SCOPE = Object.keys(adminScopes).join(' ')

/** `frontdesk-auth`, as a program that administrators sign in with. */
export const program: Program = {
  name: 'frontdesk-auth',
  file: 'auth',
  setting: { option: '--server', variable: 'FRONTDESK_SERVER' },
  registration: `--name 'Administration command' --grant ${DEVICE_CODE} --allowed-scope '${SCOPE}'`
}
