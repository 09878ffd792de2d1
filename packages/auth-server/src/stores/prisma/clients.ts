import type { Client } from '../../oauth/client.js'
import type { Clients, NewClient } from '../clients.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

const include = { callbacks: { orderBy: { uri: 'asc' } }, resources: { orderBy: { uri: 'asc' } } } as const

/** How often a client is put while others put it too. */
const ATTEMPTS = 5

type Row = NonNullable<Awaited<ReturnType<typeof read>>>

/** {@link Clients} in a database. */
export function openClients (database: Database): Clients {
  return {
    async find (id) {
      // PostgreSQL has no text with NUL, and says so with an error.
      if (id.includes('\0')) return null
      const row = await read(database, id)
      return row === null ? null : toClient(row)
    },
    async list () {
      return (await database.client.findMany({ include, orderBy: { id: 'asc' } })).map(toClient)
    },
    add (client) {
      return isNew(database.client.create({ data: toRow(client) }))
    },
    async put (client) {
      const { callbacks, resources, ...columns } = toRow(client)
      const data = { ...columns, callbacks: { deleteMany: {}, ...callbacks }, resources: { deleteMany: {}, ...resources } }
      // Others may put the same client at once: whoever comes second finds rows that were not there.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await isNew(database.client.create({ data: toRow(client) }))) return
        if (await isNew(database.client.update({ where: { id: client.id }, data }))) return
      }
      throw new Error(`The client ${client.id} is changed by others all the time. Try again.`)
    },
    async setDisabled (id, disabledAt) {
      return (await database.client.updateMany({ where: { id }, data: { disabledAt } })).count === 1
    },
    async remove (id) {
      return (await database.client.deleteMany({ where: { id } })).count === 1
    }
  }
}

function read (database: Database, id: string) {
  return database.client.findUnique({ where: { id }, include })
}

function toRow ({ callbacks, resources, ...columns }: NewClient) {
  return {
    ...columns,
    callbacks: { create: callbacks.map(uri => ({ uri })) },
    resources: { create: resources.map(uri => ({ uri })) }
  }
}

function toClient (row: Row): Client {
  return {
    ...row,
    // Whatever is not plainly allowed is off.
    implicit: row.implicit === 'allowed' ? 'allowed' : 'off',
    callbacks: row.callbacks.map(({ uri }) => uri),
    resources: row.resources.map(({ uri }) => uri)
  }
}
