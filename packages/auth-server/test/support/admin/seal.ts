import { loadConfig } from '../../../src/config.js'
import { openDataKey } from '../../../src/keys/data-key.js'
import { sealRows } from '../../../src/plugins/audit-seal.js'
import type { Stores } from '../../../src/stores/stores.js'

/** Seals the audit trail as a server in development does. */
export async function sealTrail (stores: Stores, { SECRET_KEY }: { SECRET_KEY?: string } = {}): Promise<void> {
  const config = loadConfig(SECRET_KEY === undefined ? {} : { SECRET_KEY })
  await sealRows(stores, await openDataKey(stores.auditSeals.key, config, 'audit seals'))
}
