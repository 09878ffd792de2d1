import { single } from '../oauth/parameters.js'
import type { ClientAuth } from './client-auth.js'

/** A public client says who it is and proves nothing (RFC 6749 §2.1). */
export const none: ClientAuth = {
  name: 'none',
  claims ({ authorization, form }) {
    const proves = authorization !== undefined || 'client_secret' in form || 'client_assertion' in form
    return proves ? undefined : single(form, 'client_id')
  },
  verify: async () => true
}
