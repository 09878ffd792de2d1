import { Type } from '@sinclair/typebox'
import { addRole, changeRole, listRoles, removeRole } from '../../admin/roles.js'
import { endpoint, strict, type Endpoint } from './endpoint.js'

const Scopes = Type.String({
  description: 'Space-separated scopes that only users with this role, or another one that has them, can grant.'
})
const Role = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  people: Type.Integer({ description: 'How many users have it.' })
}, { title: 'Role' })
const Changed = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  free: Type.Array(Type.String(), { description: 'Scopes that no longer belong to a role, so that every user can grant them.' })
}, { title: 'ChangedRole' })

/** `/roles`. */
export const roles: readonly Endpoint[] = [
  endpoint('listRoles', 'GET /roles', {
    says: 'List the roles, the built-in ones first', right: 'read', answer: Type.Object({ items: Type.Array(Role) })
  }, async stores => ({ items: await listRoles(stores) })),

  endpoint('addRole', 'POST /roles', {
    says: 'Add a role',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({ name: Type.String(), scopes: Scopes }, strict),
    answer: Type.Omit(Changed, ['free'], { title: 'AddedRole' }),
    status: 201
  }, async (stores, { body, by }) => await addRole(stores, body, by)),

  endpoint('changeRole', 'PATCH /roles/:name', {
    says: 'Replace the scopes of a role', right: 'manage', isSensitive: true, body: Type.Object({ scopes: Scopes }, strict), answer: Changed
  }, async (stores, { params, body, by }) => await changeRole(stores, params.name, body.scopes, by)),

  endpoint('removeRole', 'DELETE /roles/:name', {
    says: 'Remove a role, including from users who have it', right: 'manage', isSensitive: true, answer: Changed
  }, async (stores, { params, by }) => await removeRole(stores, params.name, by))
]
