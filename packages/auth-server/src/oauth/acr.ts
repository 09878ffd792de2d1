import type { Acr } from '@frontdesk/schemas/acr'

/** The level of a sign-in. @param amr see `Authentication` */
export function acrOf (amr: string): Acr {
  const methods = amr.split(' ')
  if (methods.includes('pop')) return 'phr'
  return methods.includes('mfa') ? 'urn:frontdesk:acr:mfa' : 'urn:frontdesk:acr:password'
}
