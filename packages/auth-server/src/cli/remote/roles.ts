import type { ListedRole } from '../../admin/roles.js'
import type { AdminApi, Items } from './api.js'

/** Lists the roles, the built-in ones first. */
export async function listRemoteRoles (api: AdminApi): Promise<readonly ListedRole[]> {
  return (await api.get<Items<ListedRole>>('/roles')).items
}
