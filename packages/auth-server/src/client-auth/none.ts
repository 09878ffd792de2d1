import { single } from '../oauth/parameters.js'
import { readBasic } from './basic.js'
import type { ClientAuth } from './client-auth.js'

/** A public client sends its client_id without proof (RFC 6749 §2.1). */
export const none: ClientAuth = {
  name: 'none',
  proof: 'nothing',
  claims (credentials) {
    const { form } = credentials
    const { id, secret } = readBasic(credentials) ?? {}
    if (secret !== undefined || 'client_secret' in form || 'client_assertion' in form) return undefined
    return id ?? single(form, 'client_id')
  },
  verify: async () => true
}
