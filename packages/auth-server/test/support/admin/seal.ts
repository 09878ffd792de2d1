import { loadConfig } from '../../../src/config.js'
import { openAuditKey } from '../../../src/keys/audit-key.js'
import { sealRows } from '../../../src/plugins/audit-seal.js'
import type { Stores } from '../../../src/stores/stores.js'

/** Seals the audit trail as a server in development does. */
export async function sealTrail (stores: Stores, { SECRET_KEY }: { SECRET_KEY?: string } = {}): Promise<void> {
  const config = loadConfig(SECRET_KEY === undefined ? {} : { SECRET_KEY })
  await sealRows(stores, await openAuditKey(stores.auditSeals.key, config))
}
