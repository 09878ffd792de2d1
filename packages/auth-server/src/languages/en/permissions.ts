import { customerScopes, reservedCustomerScopes } from '@frontdesk/schemas/customer-scope'

/** What a scope or a claim allows an app to do. */
export const permissions = {
  'permission.openid': 'Know who you are',
  'permission.profile': 'See your name, user name, language and picture',
  'permission.email': 'See your email address',
  'permission.roles': 'See your roles',
  'permission.offline_access': 'Keep access while you\'re signed out',
  'permission.customer:read': customerScopes['customer:read'],
  'permission.customer:write': customerScopes['customer:write'],
  'permission.customer:delete': customerScopes['customer:delete'],
  'permission.customer:undo': reservedCustomerScopes['customer:undo'],
  'permission.admin:read': 'See users, apps, keys and the audit trail of this server',
  'permission.admin:write': 'Manage users, apps and keys of this server',
  'permission.directory:read': 'See the names of other users',
  'permission.claim.name': 'See your name',
  'permission.claim.given_name': 'See your given name',
  'permission.claim.family_name': 'See your family name',
  'permission.claim.email': 'See your email address',
  'permission.claim.email_verified': 'See whether your email address is verified',
  'permission.claim.locale': 'See your language',
  'permission.claim.picture': 'See your picture',
  'permission.claim.preferred_username': 'See your user name',
  'permission.claim.updated_at': 'See when your details were last changed'
} as const
