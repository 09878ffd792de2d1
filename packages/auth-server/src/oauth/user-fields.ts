import { Type, type TSchema } from '@sinclair/typebox'
import type { MessageKey } from '../languages/languages.js'
import type { attributes } from '../languages/en/attributes.js'
import type { Reason } from '../languages/reason.js'
import { canonicalLocale, normalize, readEmail, whyNotEmail, whyNotLocale, whyNotPersonName, whyNotPicture } from './user-rules.js'

/** The description of a user's attribute. */
interface UserField {
  /** Its name on pages and in tables. */
  readonly label: keyof typeof attributes
  /** Its claim (OpenID Connect Core §5.1), and the scope that requests this claim. */
  readonly claim: string
  readonly scope: 'profile' | 'email'
  /** Schema of the claim. */
  readonly schema: TSchema
  /** Option of `user add` and `user update`, with its placeholder, and its description. */
  readonly flag: string
  readonly option: string
}

/** A text attribute. Users can edit it on their account page. */
interface TextField extends UserField {
  /** HTML, the autofill field name. */
  readonly autocomplete: string
  readonly hint?: keyof typeof attributes
  readonly inputMode?: 'email' | 'url'
  /** Converts the typed value to the stored one. */
  readonly read: (typed: string) => string
  /** Why it is not valid; `null` if it is. */
  readonly whyNot: (text: string) => Reason | null
}

const text = <const F extends Omit<TextField, 'schema'>>(field: F): Omit<TextField, 'claim' | 'scope'> & Pick<F, 'claim' | 'scope'> =>
  ({ ...field, schema: Type.String() })

/** A user's name. Its texts, option and autofill name derive from the claim. */
const personName = <const Claim extends 'name' | 'given_name' | 'family_name'>(claim: Claim, option = claim.replace('_', ' ')) => {
  const word = claim.replace('_', '-')
  return text({
    label: `attribute.${claim}`,
    claim,
    scope: 'profile',
    flag: `--${word} <text>`,
    option,
    autocomplete: word,
    read: normalize,
    whyNot: name => whyNotPersonName(claim, name)
  })
}

/** The attributes of a user, in display order. Everything that stores, edits or shows one derives from this table. */
export const userFields = {
  name: personName('name', 'full name, as clients show it'),
  givenName: personName('given_name'),
  familyName: personName('family_name'),
  email: text({
    label: 'attribute.email',
    claim: 'email',
    scope: 'email',
    flag: '--email <address>',
    option: 'email address; not verified',
    autocomplete: 'email',
    hint: 'attribute.email.hint',
    inputMode: 'email',
    read: readEmail,
    whyNot: whyNotEmail
  }),
  emailVerified: {
    label: 'attribute.email_verified',
    claim: 'email_verified',
    scope: 'email',
    schema: Type.Boolean(),
    flag: '--email-verified <yes|no>',
    option: 'whether the user was shown to have the email address'
  },
  locale: text({
    label: 'attribute.locale',
    claim: 'locale',
    scope: 'profile',
    flag: '--locale <tag>',
    option: 'language, such as en or pt-BR',
    autocomplete: 'language',
    hint: 'attribute.locale.hint',
    read: typed => canonicalLocale(typed) ?? typed,
    whyNot: whyNotLocale
  }),
  picture: text({
    label: 'attribute.picture',
    claim: 'picture',
    scope: 'profile',
    flag: '--picture <url>',
    option: 'https address of a picture',
    autocomplete: 'photo',
    hint: 'attribute.picture.hint',
    inputMode: 'url',
    read: typed => URL.canParse(typed) ? new URL(typed).href : typed,
    whyNot: whyNotPicture
  })
} as const satisfies Record<string, UserField>

type Table = typeof userFields

/** Name of an attribute. */
type UserAttribute = keyof Table

/** Name of a text attribute. */
export type TextAttribute = { [Name in UserAttribute]: Table[Name] extends TextField ? Name : never }[UserAttribute]

/** Name of a claim that is an attribute. */
export type AttributeClaim = Table[UserAttribute]['claim']

/** Every attribute. */
// as: the keys are those of its type.
export const userAttributes = Object.keys(userFields) as UserAttribute[]

/** The text attributes. */
// as: exactly these have `read`.
export const textAttributes = userAttributes.filter((name): name is TextAttribute => 'read' in userFields[name])

/** The claims of a scope that are attributes. */
export function attributeClaims<Scope extends UserField['scope']> (scope: Scope) {
  type Claims = { readonly [Name in UserAttribute as Table[Name]['scope'] extends Scope ? Table[Name]['claim'] : never]: { allows: MessageKey, schema: TSchema } }
  const fields = Object.values<UserField>(userFields).filter(field => field.scope === scope)
  // as: the claims of the fields of this scope.
  return Object.fromEntries(fields.map(({ claim, schema }) => [claim, { allows: `permission.claim.${claim}`, schema }])) as Claims
}
