import type { Options } from '@frontdesk/service-kit/cli/option'
import type { TypedAttributes } from '../admin/users.js'
import { userAttributes, userFields } from '../oauth/user-fields.js'

/** Options that set the attributes of a user. An empty value removes one. */
export const ATTRIBUTES: Options = Object.fromEntries(userAttributes.map(name => {
  const { flag, option } = userFields[name]
  return [flag, name === 'emailVerified' ? { says: option, choices: ['yes', 'no'] } : option]
}))

/** The attributes among the values of a command with {@link ATTRIBUTES}: those of the options that were used. */
export function attributesOf (input: Readonly<Record<string, unknown>>): TypedAttributes {
  const given = userAttributes.filter(name => input[name] !== undefined)
  // as: the options are named after the attributes, and have texts.
  return Object.fromEntries(given.map(name => [name, name === 'emailVerified' ? input[name] === 'yes' : input[name]])) as TypedAttributes
}
