import { ACR_WORDS } from '@frontdesk/schemas/acr'
import { joinOr } from '@frontdesk/service-kit/join-or'
import { fields } from '../languages/en/console/fields.js'
import { MFA_ACR, PASSKEY_ACR, REQUIRED_ACR_WORDS, REQUIRED_ACRS } from './acr.js'
import { choice, list, optional } from './client-field.js'

/** The choices as they are typed. */
const TYPED_ACRS = joinOr(REQUIRED_ACRS.map(acr => `${acr} (${ACR_WORDS[acr].toLowerCase()})`))

const SHOWN_ACRS = {
  '': 'field.requiredAcr.password', [MFA_ACR]: 'field.requiredAcr.mfa', [PASSKEY_ACR]: 'field.requiredAcr.passkey'
} as const

/** The fields of a client that decide who can sign in to it, and how. */
export const signInFields = {
  signInRoles: list({
    says: fields['field.signInRoles.hint'],
    flag: '--sign-in-role <role>',
    item: 'sign-in role',
    no: 'every user can sign in to it',
    show: ['field.signInRoles']
  }),
  requiredAcr: optional(choice(...REQUIRED_ACRS), {
    says: fields['field.requiredAcr.hint'],
    note: `: ${TYPED_ACRS}`,
    option: `minimum sign-in level of its users: ${TYPED_ACRS}`,
    words: REQUIRED_ACR_WORDS,
    null: fields['field.requiredAcr.none'],
    flag: '--required-acr <acr>',
    no: 'users can sign in to it with a password alone',
    show: ['field.requiredAcr', acr => ({ key: SHOWN_ACRS[acr ?? ''] })]
  })
}
