import { isConsole } from '../../oauth/console-client.js'
import type { Clients } from './clients.js'

/** The clients as actions of operators see them: there is no console to change or remove. */
export function withoutConsole (clients: Clients): Clients {
  const unless = async (id: string, change: () => Promise<boolean>) => isConsole({ id }) ? false : await change()
  return {
    ...clients,
    change: (id, change) => unless(id, () => clients.change(id, change)),
    setImplicit: (id, ...policy) => unless(id, () => clients.setImplicit(id, ...policy)),
    setDisabled: (id, disabledAt) => unless(id, () => clients.setDisabled(id, disabledAt)),
    remove: id => unless(id, () => clients.remove(id)),
    revoke: id => unless(id, () => clients.revoke(id))
  }
}
