import { text } from '@frontdesk/service-kit/settings'

/** Settings of the administration API. */
export const adminSettings = {
  ADMIN: text('`true` turns on the administration API, at `/admin/api`.', 'be true or false', { pattern: '^(true|false)$', default: 'false' })
}

/** The identifier of the administration API, its `aud`; `undefined`: it is off. @param address of the server */
export function readAdminAudience ({ ADMIN }: { readonly ADMIN: string }, address: string): string | undefined {
  return ADMIN === 'true' ? `${address}/admin/api` : undefined
}
