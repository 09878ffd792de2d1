import { writeFileSync } from 'node:fs'
import { customer } from '../../loads.js'
import { customerPeer } from './customers/peer.js'
import { fileOf } from './customers/table.js'

/** json-server 0.17, the stable one, and express-jwt: customers in memory, and in a file that each change rewrites. */
export default customerPeer('json-server', 'memory', {
  prepare: async context => {
    const customers = Array.from({ length: context.customers }, (_, index) => customer(index + 1))
    writeFileSync(fileOf(context), JSON.stringify({ customers }))
  }
})
