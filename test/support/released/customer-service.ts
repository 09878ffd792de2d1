import type { loadConfig } from '../../../packages/customer-service/src/config.js'
import type { openDatabase } from '../../../packages/customer-service/src/stores/open.js'
import { load } from '../load.js'
import type { Watch } from './watch.js'

/** Uses everything that customer-service's register can do. @param url a database of its own, which is migrated */
export async function useCustomerService (url: string, watch: Watch): Promise<void> {
  const { openDatabase: open } = await load<{ openDatabase: typeof openDatabase }>('customer-service', 'stores/open.js')
  const { loadConfig: read } = await load<{ loadConfig: typeof loadConfig }>('customer-service', 'config.js')
  const { openClient } = await load<typeof import('../../../packages/customer-service/src/stores/client.js')>('customer-service', 'stores/client.js')
  const { manageWebhooks } = await load<typeof import('../../../packages/customer-service/src/stores/webhooks/managed-webhooks.js')>(
    'customer-service', 'stores/webhooks/managed-webhooks.js'
  )
  const config = read({ DATABASE_URL: url })
  const { stores, close } = await open(config)
  const client = await openClient(config)
  await client.$connect()
  const watched = watch({ ...stores, managed: manageWebhooks(client, () => new Date()) })
  const { customers: register, changes, feed, history, idempotency, imports, proofs, search, webhooks, backfill } = watched
  const { managed, bulk, duplicates, operations, undo, listRemoved, removeExpired, settled, takeLease, ping } = watched

  const actor = { sub: 'user', clientId: 'app', requestId: 'request', operationId: null }
  const actorOfImport = { ...actor, operationId: 'import-1' }
  const customer = { id: 1, name: 'Amélie', age: 30, address: 'Rue 1' }
  const version = await register.register(customer, actor)
  await register.register(customer, actor)
  await register.register({ ...customer, id: 2 }, actor)
  await register.register({ ...customer, id: 3, name: 'Ben' }, actor)
  const request = { hash: 'request-4', fingerprint: 'customer-4' }
  const zoe = { ...customer, id: 4, name: 'Zoe' }
  await idempotency.registerOnce(zoe, request, actor)
  await idempotency.registerOnce(zoe, request, actor)
  await idempotency.registerOnce({ ...zoe, id: 5 }, { ...request, fingerprint: 'customer-5' }, actor)
  await idempotency.registerOnce(zoe, { hash: 'request-5', fingerprint: 'customer-4' }, actor)
  for (const process of ['process-1', 'process-2']) await takeLease('clean-up', process)
  await removeExpired('idempotency key', new Date())
  proofs.now()
  await proofs.nonceKey()
  await proofs.add('proof-1', new Date())
  await proofs.add('proof-1', new Date())
  await removeExpired('proof', new Date())
  await register.find(1)
  await register.find(9)
  await register.changeAddress({ name: 'Ben', versions: 'any' }, 'Street 2', actor)
  await register.changeAddress({ name: 'Nobody', versions: 'any' }, 'Street 2', actor)
  await register.changeAddress({ name: 'Amélie', versions: 'any' }, 'Rue 2', actor)
  await register.changeAddress({ name: 'Amélie', id: 1, versions: [version!] }, 'Rue 2', actor)
  await register.changeAddress({ name: 'Amélie', id: 1, versions: [] }, 'Rue 3', actor)
  await register.changeAddress({ name: 'Ben', id: 1, versions: 'any' }, 'Rue 3', actor)
  await register.change(1, { name: 'Amélie', age: 31, address: 'Rue 4' }, 'any', actor)
  await register.change(1, { age: 32 }, [version!], actor)
  await register.change(9, { age: 32 }, 'any', actor)
  await register.remove(1, [version!], actor)
  await register.remove(1, 'any', actor)
  await register.remove(9, 'any', actor)
  await register.change(3, { age: 41 }, 'any', actor)
  const { version: newest } = (await history.list(3, 1))[0]!
  await register.restore(3, newest, 'any', actor)
  await register.remove(3, 'any', actor)
  await register.restore(3, newest, 'any', actor)
  await register.restore(9, newest, 'any', actor)
  await register.restore(3, newest, [newest], actor)
  await register.erase(1, 'any', actor)
  await register.erase(9, 'any', actor)
  await register.erase(3, [version!], actor)
  const list = { filters: { words: ['ben'] }, sort: 'name', descending: false, limit: 1 } as const
  await search.list({ ...list, filters: { words: [] } })
  await search.list(list)
  await search.count(list.filters)
  await backfill.catchUp()
  await backfill.run()
  await backfill.stop()
  await feed.read('oldest', 10)
  await feed.read('latest', 10)
  const cursor = await feed.findEnd('oldest')
  await feed.read(cursor, 10)
  await feed.read({ position: 1, mark: 'other' }, 10)
  await feed.find(1)
  await feed.catchUp()
  await history.list(3, 10)
  await history.list(3, 10, 1n)
  await history.find(3, new Date(0))
  await history.findData(3)
  await history.find(3, new Date())
  await listRemoved({ words: [], limit: 1 })
  await listRemoved({ words: [], limit: 1, before: 9n })
  const place = { hash: 'file', done: 0, errors: 0 }
  const work = { actor: actorOfImport, rule: { mode: 'create', match: 'number' } } as const
  const progress = { done: 1, digest: 'records', registered: 1, updated: 0, unchanged: 0, failed: 0, errors: [], isFinished: true }
  await imports.begin('file')
  await imports.add([{ ...customer, id: 6 }], work)
  await imports.addAndAdvance([{ ...customer, id: 7 }], work, place, () => progress)
  await imports.addAll([{ ...customer, id: 8 }], work, null, () => progress)
  for (const match of ['number', 'name'] as const) {
    const rule = { mode: 'upsert', match } as const
    await imports.add([{ ...customer, id: 8, age: 44 }, { ...customer, id: null, name: match }], { actor: actorOfImport, rule })
    await imports.check([{ ...customer, id: 8 }], rule)
  }
  await register.merge({ into: { id: 4, versions: 'any' }, from: { id: 8, versions: 'any' }, values: { age: 34 } }, actor)
  await register.merge({ into: { id: 4, versions: 'any' }, from: { id: 9, versions: 'any' }, values: {} }, actor)
  await history.list(4, 10)
  await history.findData(4)
  await history.findSuccessor(8)
  await duplicates.list({ limit: 1 })
  await duplicates.list({ limit: 1, after: { name: 'zoe', id: 4 } })
  await duplicates.dismiss([4, 6])
  await removeExpired('dismissed pair', new Date())
  await operations.list(1)
  await operations.list(1, { at: new Date(0), id: 'import-1' })
  await bulk.remove([{ id: 8, version: null }], actorOfImport)
  await bulk.remove([{ id: 8, version: 1 }], actorOfImport)
  await bulk.change([6, 7].map(id => ({ id, version: null })), { age: 1 }, actorOfImport)
  await bulk.find([6, 9].map(id => ({ id, version: null })))
  await undo.find('import-1')
  const begun = (await undo.begin('import-1', actor))!
  const batch = await undo.findNext(begun, 0n)
  await undo.check(batch)
  await undo.revert(batch, { ...actor, operationId: begun.selection.undoId! })
  undo.period()
  const app = { clientId: 'app', since: new Date(Date.now() - 60_000) }
  await undo.findOfApp(app)
  const ofApp = await undo.beginOfApp(app, actor)
  await undo.check(await undo.findNext(ofApp, ofApp.selection.start - 1n))
  await removeExpired('import', new Date())
  await settled()
  await changes.removeExpired(new Date())
  const webhook = { id: 'wh_1', url: 'https://example.com/', secret: 'whsec_', ...cursor }
  await managed.add(webhook)
  await managed.list()
  await webhooks.listEnabled()
  await webhooks.find('wh_1')
  await webhooks.lease('wh_1', 'process-1')
  await webhooks.delay(webhook, 'failure', 1)
  await webhooks.enable('wh_1')
  await webhooks.advance(webhook, { position: 1, mark: 'mark' })
  await webhooks.giveUp({ ...webhook, position: 1, mark: 'mark' }, { position: 2, mark: 'mark' }, 'failure')
  await managed.listDeadLetters('wh_1')
  await managed.removeDeadLetter('wh_1', 2)
  await webhooks.disable({ ...webhook, position: 2, mark: 'mark' }, 'reason')
  await webhooks.enable('wh_1', cursor)
  await webhooks.release('wh_1', 'process-1')
  await managed.remove('wh_1')
  await client.$disconnect()
  await ping()
  await close()
}
