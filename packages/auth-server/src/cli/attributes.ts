import type { Input } from '@frontdesk/service-kit/cli/option'
import type { TypedAttributes } from '../admin/users.js'

/** Options that set the attributes of a user. An empty value removes one. */
export const ATTRIBUTES = {
  '--name <text>': 'full name, as apps show it',
  '--given-name <text>': 'given name',
  '--family-name <text>': 'family name',
  '--email <address>': 'email address; not verified',
  '--email-verified <yes|no>': { says: 'whether the person was shown to have the email address', choices: ['yes', 'no'] },
  '--locale <tag>': 'language, such as en or pt-BR',
  '--picture <url>': 'https address of a picture'
} as const

/** The attributes among the values of a command with {@link ATTRIBUTES}: those of the options that were used. */
export function attributesOf (
  { name, givenName, familyName, email, emailVerified, locale, picture }: Input<'', typeof ATTRIBUTES>
): TypedAttributes {
  return { name, givenName, familyName, email, emailVerified: emailVerified && emailVerified === 'yes', locale, picture }
}
