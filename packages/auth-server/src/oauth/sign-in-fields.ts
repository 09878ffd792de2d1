import { REQUIRED_ACRS } from './acr.js'
import { choice, list, optional } from './client-field.js'

/** The fields of a client that decide who can sign in to it, and how. */
export const signInFields = {
  signInRoles: list({
    says: 'Users need one of these roles to sign in; if empty, every user can',
    flag: '--sign-in-role <role>',
    item: 'sign-in role',
    no: 'every user can sign in to it',
    show: ['Sign-in roles']
  }),
  requiredAcr: optional(choice(...REQUIRED_ACRS), {
    says: 'Minimum sign-in level of its users: urn:frontdesk:acr:mfa (second factor) or phr (passkey)',
    null: 'a password suffices',
    flag: '--required-acr <acr>',
    no: 'users can sign in to it with a password alone',
    show: ['Sign-in level', acr => acr ?? 'password']
  })
}
