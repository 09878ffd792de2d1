/**
 * Values of `acr` (OpenID Connect Core §2), in rising order: a password, a second step, and a phishing-resistant passkey, by its name
 * in OpenID Connect Extended Authentication Profile ACR Values 1.0.
 */
export const ACRS = ['urn:frontdesk:acr:password', 'urn:frontdesk:acr:mfa', 'phr'] as const

export type Acr = typeof ACRS[number]
