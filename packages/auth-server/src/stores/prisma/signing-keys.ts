import type { SigningKeys } from '../signing-keys.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** {@link SigningKeys} in a database. */
export function openSigningKeys (database: Database): SigningKeys {
  return {
    list: () => database.signingKey.findMany({ orderBy: { generation: 'asc' } }),
    add: key => isNew(database.signingKey.create({ data: key }))
  }
}
