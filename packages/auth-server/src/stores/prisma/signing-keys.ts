import type { SigningKeys } from '../signing-keys.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** {@link SigningKeys} in a database. */
export function openSigningKeys (database: Database): SigningKeys {
  return {
    async list () {
      const rows = await database.signingKey.findMany({ orderBy: { generation: 'asc' } })
      // The release before this one wrote keys that sign from the beginning.
      return rows.map(row => ({ ...row, signsFrom: row.signsFrom ?? row.createdAt }))
    },
    add: key => isNew(database.signingKey.create({ data: key })),
    async reseal (kid, from, to) {
      return (await database.signingKey.updateMany({ where: { kid, privateJwe: from }, data: { privateJwe: to } })).count === 1
    },
    async retire (kid, retiredAt) {
      return (await database.signingKey.updateMany({ where: { kid, retiredAt: null }, data: { retiredAt, privateJwe: '' } })).count === 1
    }
  }
}
