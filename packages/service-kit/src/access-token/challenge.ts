import { DPOP_ALGS } from '../dpop/algs.js'

/**
 * Makes a challenge of `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1). Omits parameters that are `undefined`.
 * @param parameters in their order, without quotes and backslashes in their values
 */
export function challenge (scheme: 'Bearer' | 'DPoP', parameters: Readonly<Record<string, string | undefined>>): string {
  const all = scheme === 'DPoP' ? { ...parameters, algs: DPOP_ALGS.join(' ') } : parameters
  const pairs = Object.entries(all).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}="${value}"`)
  return `${scheme} ${pairs.join(', ')}`
}
