/** Scopes of customer-service, and what they allow. */
export const customerScopes = {
  'customer:read': 'Look up customers',
  'customer:write': 'Add and edit customers',
  'customer:delete': 'Remove customers'
} as const

/** Scopes that concern other apps or users. An operator must allow an app to have them by name. */
export const reservedCustomerScopes = {
  'customer:undo': 'Undo changes by other apps'
} as const

export type CustomerScope = keyof typeof customerScopes | keyof typeof reservedCustomerScopes
