/**
 * Values of `acr` (OpenID Connect Core §2), in rising order: a password, a second factor, and a phishing-resistant passkey, by its name
 * in OpenID Connect Extended Authentication Profile ACR Values 1.0.
 */
export const ACRS = ['urn:frontdesk:acr:password', 'urn:frontdesk:acr:mfa', 'phr'] as const

export type Acr = typeof ACRS[number]

/** The same in words. */
export const ACR_WORDS: Readonly<Record<Acr, string>> = {
  'urn:frontdesk:acr:password': 'Password', 'urn:frontdesk:acr:mfa': 'Second factor', phr: 'Passkey'
}

/** The values that meet a required one: it, and those above it. */
export function acrsFrom (required: Acr): readonly Acr[] {
  return ACRS.slice(ACRS.indexOf(required))
}

/** Whether an `acr` meets a required one; an unknown one meets none. */
export function meets (acr: string | undefined, required: Acr): boolean {
  return acrsFrom(required).some(it => it === acr)
}
