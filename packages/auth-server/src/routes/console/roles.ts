import { addRole, changeRole, listRoles, removeRole } from '../../admin/roles.js'
import { REQUIRED_ACR_WORDS, requiredAcrOf } from '../../oauth/acr.js'
import { message } from '../../languages/translator.js'
import { isBuiltIn } from '../../oauth/admin-scopes.js'
import { action, page, textOf, wordsOf, type Visit } from './define.js'
import { aboutRole, boundedCount } from './words.js'

/** The roles, the built-in ones first, with the scopes that only they can grant. */
export const roles = page('/roles', { section: 'roles' }, async visit => ({
  view: 'roles',
  title: message('console.navigation.roles'),
  data: {
    sentRole: textOf(visit, 'role'),
    acrWords: REQUIRED_ACR_WORDS,
    roles: (await listRoles(visit.stores)).map(role => ({
      ...role, about: aboutRole(role), isBuiltIn: isBuiltIn(role.name), people: message('console.roles.users-count', boundedCount(role.people))
    }))
  }
}))

const spec = { page: roles, right: 'manage', isSensitive: true } as const

/** The scopes of the form, with one space between them. */
const scopesOf = (visit: Pick<Visit, 'form'>) => wordsOf(visit, 'scopes').join(' ')

/** The level of the form; empty: none. */
const acrOf = (visit: Pick<Visit, 'form'>) => requiredAcrOf(textOf(visit, 'required_acr'))

/** What administrators do with roles. */
export const roleActions = [
  action('add-role', '/roles', {
    ...spec, done: 'console.roles.added'
  }, async visit => {
    await addRole(visit.stores, { name: textOf(visit, 'name'), scopes: scopesOf(visit), requiredAcr: acrOf(visit) }, visit.by)
    return '/roles'
  }),

  action('change-role', '/roles/change', spec, async visit => {
    await changeRole(visit.stores, textOf(visit, 'role'), { scopes: scopesOf(visit), requiredAcr: acrOf(visit) }, visit.by)
    return '/roles'
  }),

  action('remove-role', '/roles/remove', { ...spec, done: 'console.roles.removed' }, async visit => {
    await removeRole(visit.stores, textOf(visit, 'role'), visit.by)
    return '/roles'
  })
]
