import { joinOr } from '@frontdesk/service-kit/join-or'
import { REQUIRED_ACR_WORDS, REQUIRED_ACRS } from './acr.js'
import { choice, list, optional } from './client-field.js'

/** The choices as they are typed. */
const TYPED_ACRS = joinOr(REQUIRED_ACRS.map(acr => `${acr} (${REQUIRED_ACR_WORDS[acr].toLowerCase()})`))

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
    says: 'Minimum sign-in level of its users',
    note: `: ${TYPED_ACRS}`,
    option: `minimum sign-in level of its users: ${TYPED_ACRS}`,
    words: REQUIRED_ACR_WORDS,
    null: 'a password suffices',
    flag: '--required-acr <acr>',
    no: 'users can sign in to it with a password alone',
    show: ['Sign-in level', acr => REQUIRED_ACR_WORDS[acr ?? ''].toLowerCase()]
  })
}
