import { oauthError } from './errors.js'
import { single, type Parameters } from './parameters.js'

/** @throws OAuthError `invalidTarget` if the form names a resource other than the one that was granted (RFC 8707 §2.2) */
export function assertResource (form: Parameters, granted: string): void {
  if (![undefined, granted].includes(single(form, 'resource'))) throw oauthError('invalidTarget', 'resource was not granted')
}
