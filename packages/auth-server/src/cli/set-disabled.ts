import { fieldsOf as fieldsOfClient, noSuchClient } from './client/describe.js'
import { fieldsOf as fieldsOfUser, noSuchUser } from './user/describe.js'
import { print, type PrintOptions } from './print.js'
import { record } from './record.js'
import { withStores } from './with-stores.js'

/** Disables or enables an app and says so. @throws Refusal if there is none */
export async function setClientDisabled (id: string, state: 'enable' | 'disable', options: PrintOptions, sentence: string): Promise<void> {
  await withStores(async stores => {
    const { clients, clock } = stores
    const app = await clients.setDisabled(id, state === 'disable' ? clock.now() : null) ? await clients.find(id) : null
    if (app === null) throw noSuchClient(id, await clients.list())
    await record(stores, `client ${state}`, { clientId: id })
    print(options, fieldsOfClient(app), sentence)
  })
}

/** Disables or enables a person and says so. @throws Refusal if there is nobody of that name */
export async function setUserDisabled (username: string, state: 'enable' | 'disable', options: PrintOptions, sentence: string): Promise<void> {
  await withStores(async stores => {
    const { users, clock } = stores
    const person = await users.setDisabled(username, state === 'disable' ? clock.now() : null) ? await users.find(username) : null
    if (person === null) throw noSuchUser(username, await users.list())
    await record(stores, `user ${state}`, { userId: person.id })
    print(options, fieldsOfUser(person), sentence)
  })
}
