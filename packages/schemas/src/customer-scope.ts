/** Scopes of customer-service, and what they allow. */
export const customerScopes = {
  'customer:read': 'Look up customers',
  'customer:write': 'Add and edit customers',
  'customer:delete': 'Remove customers'
} as const

export type CustomerScope = keyof typeof customerScopes
