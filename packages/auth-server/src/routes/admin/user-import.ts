import { Type } from '@sinclair/typebox'
import { MAX_IMPORTED } from '../../admin/import-limit.js'
import { assertSendsMail, importUsers } from '../../admin/import-users.js'
import { endpoint, strict, type Endpoint } from './endpoint.js'
import { added, attributesOf } from './users.js'

const ImportedUser = Type.Object({
  ...added,
  id: Type.Optional(Type.String({ description: 'Their id on the other server, for `keepIds`.' })),
  passwordHash: Type.Optional(Type.String({
    description: 'A bcrypt hash, or a PHC string of argon2, PBKDF2 or scrypt. Without it, the user has no password yet.'
  })),
  disabled: Type.Optional(Type.Boolean())
}, { ...strict, title: 'ImportedUser' })

const Imported = Type.Object({
  added: Type.Integer({ description: 'Users added; in a dry run, users that could be added.' }),
  present: Type.Integer({ description: 'Users who were imported before and stay unchanged.' }),
  withoutPassword: Type.Integer({ description: 'Added and present users without a password.' }),
  errors: Type.Array(Type.Object({
    index: Type.Integer({ description: 'Position in `users`, from 0.' }),
    errors: Type.Array(Type.Object({ field: Type.String(), detail: Type.String() }))
  })),
  missingRoles: Type.Record(Type.String(), Type.Integer(), {
    description: 'Number of users by role that was not assigned, because it does not exist here or is built in.'
  })
}, { title: 'ImportedUsers' })

/** `/users/import`. */
export const userImport: readonly Endpoint[] = [
  endpoint('importUsers', 'POST /users/import', {
    says: 'Import users of another server, with their password hashes',
    right: 'manage',
    isSensitive: true,
    bodyLimit: 4_194_304,
    body: Type.Object({
      users: Type.Array(ImportedUser, { maxItems: MAX_IMPORTED }),
      key: Type.String({
        minLength: 1, maxLength: 200, description: 'Identifies the import. A user who was imported with it before is not added again.'
      }),
      keepIds: Type.Optional(Type.Boolean({ description: 'Whether users keep their `id`, which must be a UUID or an Auth0 id.' })),
      trustEmails: Type.Optional(Type.Boolean({ description: 'Whether `emailVerified` is trusted. Otherwise, no address is verified.' })),
      invite: Type.Optional(Type.Boolean({
        description: 'Whether to email an invitation to each user with an address but no password.'
      })),
      dryRun: Type.Optional(Type.Boolean({ description: 'Whether to check without importing.' }))
    }, strict),
    answer: Imported
  }, async (stores, { body: { users, ...options }, config, by }) => {
    if (options.invite === true) assertSendsMail(config)
    const people = users.map(({ username, roles, id, passwordHash, disabled, ...typed }) =>
      ({ username, roles, id, passwordHash, disabled, ...attributesOf(typed) }))
    return await importUsers(stores, people, options, by)
  })
]
