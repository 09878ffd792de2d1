import type { Leases } from '../leases.js'
import type { Database } from './database.js'

/** {@link Leases} in a database. */
export function openLeases (database: Database): Leases {
  return {
    async take (name, holder, now, until) {
      return await database.$executeRaw`
        INSERT INTO lease (name, holder, ends_at) VALUES (${name}, ${holder}, ${until})
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
        WHERE lease.holder = excluded.holder OR lease.ends_at <= ${now}` === 1
    }
  }
}
