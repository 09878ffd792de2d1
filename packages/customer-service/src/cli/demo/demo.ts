import type { Command } from 'commander'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { openRegister, readConfig } from '../config.js'
import { demoCustomers } from './people.js'
import { NO_ACTOR } from '../../stores/changes/change.js'
import type { Customers } from '../../stores/customers/customers.js'

/** `frontdesk-customer demo`: customers to try the register with. */
export function demo (program: Command): void {
  const group = program.command('demo').description('Add or remove forty invented customers, for development.')
  group.command('add').description('Add them. Numbers that are taken are left as they are.').action(async () => {
    await withCustomers(async customers => {
      const added = await Promise.all(demoCustomers.map(customer => customers.register(customer, NO_ACTOR)))
      console.log(`Added ${count(added.filter(version => version !== null).length)}.`)
    })
  })
  group.command('remove').description('Remove those that have not been changed.').action(async () => {
    await withCustomers(async customers => {
      const removed = await Promise.all(demoCustomers.map(async ({ id, name, age, address }) => {
        const found = await customers.find(id)
        if (found === null) return null
        if (found.name !== name || found.age !== age || found.address !== address) return id
        return (await customers.remove(id, [found.version], NO_ACTOR)).outcome === 'version differs' ? id : true
      }))
      const changed = removed.filter(it => typeof it === 'number')
      console.log(`Removed ${count(removed.filter(it => it === true).length)}.${
        changed.length > 0 ? ` These were changed, or are other customers, and stay: ${changed.join(', ')}.` : ''}`)
    })
  })
}

async function withCustomers (work: (customers: Customers) => Promise<void>): Promise<void> {
  const config = await readConfig()
  if (config.production) throw new CommandError('Demo customers are for development only, and ENVIRONMENT is production.')
  const { stores, close } = await openRegister(config)
  try {
    await work(stores.customers)
  } finally {
    await close()
  }
}

const count = (customers: number) => customers === 1 ? '1 customer' : `${customers} customers`
