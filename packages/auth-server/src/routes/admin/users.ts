import { Type } from '@sinclair/typebox'
import { addUser, inviteUser, resetPassword } from '../../admin/passwords.js'
import { signOutUser } from '../../admin/sessions.js'
import { findDetails, findPage, listUsers, stateOf, type UserDetails, type UserPage } from '../../admin/user-details.js'
import { removeUser, renameUser, setUserDisabled, updateUser, type TypedAttributes } from '../../admin/users.js'
import { attributes as labels } from '../../languages/en/attributes.js'
import { textAttributes, userAttributes, userFields } from '../../oauth/user-fields.js'
import type { Stores } from '../../stores/stores.js'
import { endpoint, orNull, Page, pageOf, PAGE_SIZE, strict, Time, type Endpoint } from './endpoint.js'

const attributes = {
  ...Object.fromEntries(textAttributes.map(name => [name, orNull(Type.String({ description: labels[userFields[name].label] }))])),
  emailVerified: Type.Boolean({ description: `${userFields.emailVerified.option}.` })
}
const Roles = Type.Array(Type.String(), { maxItems: 100, uniqueItems: true, description: 'All roles of the user.' })

const summary = {
  id: Type.String({ description: 'Identifier: the `sub` of access tokens.' }),
  username: Type.String(),
  state: Type.Union([Type.Literal('enabled'), Type.Literal('disabled'), Type.Literal('invited')], {
    description: '`invited`: the user has not chosen a password yet.'
  }),
  ...attributes,
  demo: Type.Boolean({ description: 'Whether this is a demo user, for development.' }),
  passwordSetAt: orNull(Time),
  termsVersion: orNull(Type.String({ description: 'Version of the terms that the user accepted to sign up.' })),
  termsAcceptedAt: orNull(Time),
  createdAt: Time,
  disabledAt: orNull(Time)
}
/** A user in a list. */
export const UserSummary = Type.Object(summary, { title: 'UserSummary' })
const User = Type.Intersect([UserSummary, Type.Object({ roles: Roles })], { title: 'User' })

const change = { ...Type.Partial(Type.Object(attributes)).properties, roles: Type.Optional(Roles) }
/** Schema of a new user, without the password. */
export const added = { username: Type.String(), ...change }

const Updated = Type.Intersect([UserSummary, Type.Object({
  roles: Roles,
  mailedTo: Type.Optional(Type.String({ description: 'Address that a link to verify it was emailed to, after it was changed.' })),
  mailFailure: Type.Optional(Type.String({ description: 'Why an email about the changed address was not sent.' }))
})], { title: 'UpdatedUser' })

const Linked = Type.Object({
  user: User,
  linkEndsAt: Time,
  mailedTo: Type.Optional(Type.String({ description: 'Address that the link was emailed to.' })),
  link: Type.Optional(Type.String({ description: 'The link, if it was not emailed. Only administrators get it.' })),
  mailFailure: Type.Optional(Type.String({ description: 'Why it was not emailed.' }))
}, { title: 'UserWithLink' })

/** `/users` and `/invitations`. */
export const users: readonly Endpoint[] = [
  endpoint('listUsers', 'GET /users', {
    says: 'List or find users',
    right: 'read',
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the user name, a name or the email address.' })),
      username: Type.Optional(Type.String({ description: 'Only the user with this user name.' })),
      client: Type.Optional(Type.String({ description: 'Only users who gave this client access.' })),
      after: Type.Optional(Type.String({ description: 'Only users after this user name: `next` of the previous page.' })),
      ...Page
    }, strict),
    answer: pageOf(UserSummary)
  }, async (stores, { query: { username, client: clientId, limit = PAGE_SIZE, ...query } }) =>
    showUsers(username === undefined ? await listUsers(stores, { ...query, clientId, limit }) : await findPage(stores, username))),

  endpoint('addUser', 'POST /users', {
    says: 'Add a user with a password',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({ ...added, password: Type.String() }, strict),
    answer: User,
    status: 201,
    hasEtag: true
  }, async (stores, { body: { username, password, roles, ...typed }, config: { passwordMin }, by }) =>
    represent(await addUser(stores, { username, password, passwordMin, roles, ...attributesOf(typed) }, by))),

  endpoint('inviteUser', 'POST /invitations', {
    says: 'Invite a user, who chooses a password with a link',
    right: 'support',
    // It gives roles, and shows a link that sets a password.
    isSensitive: 'manage',
    body: Type.Object(added, strict),
    answer: Linked,
    status: 201
  }, async (stores, { body: { username, roles, ...typed }, config, by }) => {
    const { passwordLink, mailFailure, ...user } = await inviteUser(stores, { username, roles, ...attributesOf(typed) }, { config }, by)
    return { user: represent(user), ...passwordLink, mailFailure }
  }),

  endpoint('readUser', 'GET /users/:id', { says: 'Read a user', right: 'read', answer: User, hasEtag: true },
    async (stores, { params }) => await read(stores, params)),

  endpoint('updateUser', 'PATCH /users/:id', {
    says: 'Change the attributes or the roles of a user',
    right: 'manage',
    isSensitive: true,
    body: Type.Object(change, { ...strict, minProperties: 1 }),
    answer: Updated,
    hasEtag: true
  }, async (stores, { params, body: { roles, ...typed }, check, config, by }) => {
    const checkUser = check && ((before: UserDetails) => check(represent(before)))
    const change = { attributes: attributesOf(typed), roles, check: checkUser, config: () => config }
    return represent(await updateUser(stores, params, change, by))
  }),

  endpoint('renameUser', 'PUT /users/:id/username', {
    says: 'Change the user name of a user',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({ username: Type.String() }, strict),
    answer: User,
    hasEtag: true
  }, async (stores, { params, body, by }) => {
    await renameUser(stores, params, body.username, by)
    return await read(stores, params)
  }),

  endpoint('disableUser', 'POST /users/:id/disable', {
    says: 'Disable a user: sign them out everywhere, and reject sign-in', right: 'manage', answer: User, hasEtag: true
  }, async (stores, { params, by }) => {
    await setUserDisabled(stores, params, true, by)
    return await read(stores, params)
  }),

  endpoint('enableUser', 'POST /users/:id/enable', {
    says: 'Allow a disabled user to sign in again', right: 'manage', answer: User, hasEtag: true
  }, async (stores, { params, by }) => {
    await setUserDisabled(stores, params, false, by)
    return await read(stores, params)
  }),

  endpoint('signOutUser', 'POST /users/:id/sign-out', {
    says: 'Sign a user out everywhere, and revoke the access of all clients', right: 'support'
  }, async (stores, { params, by }) => { await signOutUser(stores, params, by) }),

  endpoint('resetPassword', 'POST /users/:id/reset', {
    says: 'Send a user a link to choose a new password',
    right: 'support',
    isSensitive: 'manage',
    answer: Linked
  }, async (stores, { params, config, by }) => {
    const { passwordLink, mailFailure } = await resetPassword(stores, params, { config }, by)
    return { user: await read(stores, params), ...passwordLink, mailFailure }
  }),

  endpoint('removeUser', 'DELETE /users/:id', {
    says: 'Permanently remove a user and everything stored about them', right: 'manage', isSensitive: true
  }, async (stores, { params, by }) => { await removeUser(stores, params, by) })
]

/** The answer with a page of users. */
export function showUsers ({ users, hasMore }: UserPage) {
  return { items: users.map(user => ({ ...user, state: stateOf(user) })), next: hasMore ? users.at(-1)?.username ?? null : null }
}

async function read (stores: Stores, user: { readonly id: string }) {
  return represent(await findDetails(stores, user))
}

function represent<U extends UserDetails> (user: U) {
  return { ...user, state: stateOf(user) }
}

/** The attributes in a body, as people type them. */
export function attributesOf (body: Readonly<Record<string, unknown>>): TypedAttributes {
  const given = userAttributes.filter(name => body[name] !== undefined)
  // as: the schema has checked the types.
  return Object.fromEntries(given.map(name => [name, body[name] ?? ''])) as TypedAttributes
}
