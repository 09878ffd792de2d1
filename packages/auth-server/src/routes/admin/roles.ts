import { Type } from '@sinclair/typebox'
import { toEdit } from '../../admin/list-edit.js'
import { invalid } from '../../admin/refusal.js'
import { addRole, changeRole, listRoles, removeRole } from '../../admin/roles.js'
import { REQUIRED_ACRS, type RequiredAcr } from '../../oauth/acr.js'
import { endpoint, strict, type Endpoint } from './endpoint.js'

const Scopes = Type.String({
  description: 'Space-separated scopes that only users with this role, or another one that has them, can grant.'
})
const requiredAcr = Type.Unsafe<RequiredAcr | null>(Type.Union([...REQUIRED_ACRS.map(acr => Type.Literal(acr)), Type.Null()], {
  description: 'Minimum `acr` of its users; null: a password suffices.'
}))
const Role = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  requiredAcr,
  people: Type.Integer({ description: 'Number of users with this role; 10,001 if there are more than 10,000.' })
}, { title: 'Role' })
const Changed = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  requiredAcr,
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
    body: Type.Object({ name: Type.String(), scopes: Scopes, requiredAcr: Type.Optional(requiredAcr) }, strict),
    answer: Type.Omit(Changed, ['free'], { title: 'AddedRole' }),
    status: 201
  }, async (stores, { body, by }) => await addRole(stores, body, by)),

  endpoint('changeRole', 'PATCH /roles/:name', {
    says: 'Change a role\'s required level, or replace or edit its scopes',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({
      scopes: Type.Optional(Scopes),
      addScopes: Type.Optional(Type.Array(Type.String(), { description: 'Scopes to add to the current ones.' })),
      removeScopes: Type.Optional(Type.Array(Type.String(), { description: 'Scopes to remove from the current ones.' })),
      requiredAcr: Type.Optional(requiredAcr)
    }, { ...strict, minProperties: 1 }),
    answer: Changed
  }, async (stores, { params, body: { scopes, addScopes, removeScopes, requiredAcr }, by }) => {
    const edit = toEdit(addScopes, removeScopes)
    if (scopes !== undefined && edit !== undefined) throw invalid('scopes', 'scopes: Use either scopes, or addScopes and removeScopes.')
    return await changeRole(stores, params.name, { scopes: scopes ?? edit, requiredAcr }, by)
  }),

  endpoint('removeRole', 'DELETE /roles/:name', {
    says: 'Remove a role, including from users who have it', right: 'manage', isSensitive: true, answer: Changed
  }, async (stores, { params, by }) => await removeRole(stores, params.name, by))
]
