import { cleanUp } from '../../../src/plugins/clean-up.js'
import { openStores } from '../../../src/stores/stores.js'
import { auditLimits } from './audit-limits.js'

// A replica that cleans up once, by the time that it believes in; prints that, and what the database's is.
const [url = ''] = process.argv.slice(2)
const stores = await openStores(url)
const isHolder = await stores.leases.take('clean-up', 'replica with a wrong clock')
const until = await stores.clock.settled()
if (isHolder && until !== null) await cleanUp(stores, until, auditLimits(1))
console.log(JSON.stringify({ isHolder, machine: Date.now(), database: stores.clock.now().getTime() }))
await stores.close()
