import { single } from '../oauth/parameters.js'
import type { ClientAuth } from './client-auth.js'

/** A public client sends its client_id without proof (RFC 6749 §2.1). */
export const none: ClientAuth = {
  name: 'none',
  proof: 'nothing',
  claims ({ basic, form }) {
    if (basic?.secret !== undefined || 'client_secret' in form || 'client_assertion' in form) return undefined
    return basic?.id ?? single(form, 'client_id')
  },
  verify: async () => true
}
