import { cleanUpAs } from '../../../src/plugins/clean-up.js'
import { openStores } from '../../../src/stores/stores.js'

// A replica that cleans up once, by the time that it believes in; prints that, and what the database's is.
const [url = ''] = process.argv.slice(2)
const stores = await openStores(url)
const isHolder = await cleanUpAs('replica with a wrong clock', stores, await stores.clock.settled(), { auditRetention: 24 * 3_600_000 })
console.log(JSON.stringify({ isHolder, machine: Date.now(), database: stores.clock.now().getTime() }))
await stores.close()
