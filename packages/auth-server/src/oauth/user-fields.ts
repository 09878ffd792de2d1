import { Type, type TSchema } from '@sinclair/typebox'
import type { MessageKey } from '../languages/languages.js'
import { canonicalLocale, normalize, whyNotEmail, whyNotLocale, whyNotPersonName, whyNotPicture } from './user-rules.js'

/** The description of a user's attribute. */
interface UserField {
  /** Its name on pages and in tables. */
  readonly label: string
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
  readonly hint?: string
  readonly inputMode?: 'email' | 'url'
  /** Converts the typed value to the stored one. */
  readonly read: (typed: string) => string
  /** Why it is not valid, in a sentence; `null` if it is. */
  readonly whyNot: (text: string) => string | null
}

const text = <const F extends Omit<TextField, 'schema'>>(field: F): Omit<TextField, 'claim' | 'scope'> & Pick<F, 'claim' | 'scope'> =>
  ({ ...field, schema: Type.String() })

/** A user's name. Its option and autofill name derive from the claim, its texts from the label. */
const personName = <const Claim extends string>(label: string, claim: Claim, option = label.toLowerCase()) => {
  const [words, word] = [label.toLowerCase(), claim.replace('_', '-')]
  return text({
    label,
    claim,
    scope: 'profile',
    flag: `--${word} <text>`,
    option,
    autocomplete: word,
    read: normalize,
    whyNot: name => whyNotPersonName(words, name)
  })
}

/** The attributes of a user, in display order. Everything that stores, edits or shows one derives from this table. */
export const userFields = {
  name: personName('Name', 'name', 'full name, as clients show it'),
  givenName: personName('Given name', 'given_name'),
  familyName: personName('Family name', 'family_name'),
  email: text({
    label: 'Email address',
    claim: 'email',
    scope: 'email',
    flag: '--email <address>',
    option: 'email address; not verified',
    autocomplete: 'email',
    hint: 'A new address is not verified.',
    inputMode: 'email',
    read: normalize,
    whyNot: whyNotEmail
  }),
  emailVerified: {
    label: 'Verified',
    claim: 'email_verified',
    scope: 'email',
    schema: Type.Boolean(),
    flag: '--email-verified <yes|no>',
    option: 'whether the user was shown to have the email address'
  },
  locale: text({
    label: 'Language',
    claim: 'locale',
    scope: 'profile',
    flag: '--locale <tag>',
    option: 'language, such as en or pt-BR',
    autocomplete: 'language',
    hint: 'Such as en, de or pt-BR.',
    read: typed => canonicalLocale(typed) ?? typed,
    whyNot: whyNotLocale
  }),
  picture: text({
    label: 'Picture',
    claim: 'picture',
    scope: 'profile',
    flag: '--picture <url>',
    option: 'https address of a picture',
    autocomplete: 'photo',
    hint: 'An address that begins with https.',
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
