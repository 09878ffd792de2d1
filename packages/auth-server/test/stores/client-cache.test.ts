import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { cacheClients } from '../../src/stores/clients/client-cache.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

t.test('a client that is being read while the cache is emptied is found, and not cached', async t => {
  const opened = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => opened.close())
  await opened.clients.add(client())
  const held: Array<() => void> = []
  const find = async (id: string) => {
    const client = await opened.clients.find(id)
    await new Promise<void>(resolve => held.push(resolve))
    return client
  }
  const { clients, recorded } = cacheClients({ ...opened, clients: { ...opened.clients, find } })
  const [known, ghost] = [clients.find('app'), clients.find('ghost')]
  while (held.length < 2) await setTimeout(1)
  await recorded(() => []).clients.change('app', { name: 'Changed' })
  const release = setInterval(() => { for (const resolve of held.splice(0)) resolve() }, 1)
  t.teardown(() => clearInterval(release))
  t.equal((await known)?.name, 'An app')
  t.equal(await ghost, null)
  t.equal((await clients.find('app'))?.name, 'Changed')
})
