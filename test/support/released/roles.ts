import type { Stores } from '../../../packages/auth-server/src/stores/stores.js'

/** Uses everything that the store of roles can do. A role stays. */
export async function useRoles ({ roles }: Pick<Stores, 'roles'>): Promise<void> {
  await roles.add('role-1', ['customer:write'])
  await roles.add('role-1', ['customer:write'])
  await roles.add('role-2', ['customer:delete'], 'phr')
  await roles.change('role-1', ['customer:delete', 'customer:write'])
  await roles.change('role-1', ['customer:write'], 'urn:frontdesk:acr:mfa')
  await roles.assign('person-1', ['role-1', 'role-2'])
  await roles.assign('person-1', ['role-1'])
  await roles.assign('person-1', { add: ['role-2'], remove: [] })
  await roles.assign('person-1', { add: [], remove: ['role-2'] })
  await roles.of('person-1')
  await roles.remove('role-2')
  await roles.list()
  await roles.people()
}
