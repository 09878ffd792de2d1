import type { Brand } from '@frontdesk/service-kit/brand/settings'

/** The name of the site in emails: the operator's name or, without one, the host. */
export function siteName ({ brand, issuer }: { readonly brand: Brand, readonly issuer: string }): string {
  return brand.isOwn ? brand.name : new URL(issuer).host
}
