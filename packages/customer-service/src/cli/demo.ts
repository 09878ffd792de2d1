import { command, noun } from '@frontdesk/service-kit/cli/command'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { NO_ACTOR } from '../stores/changes/change.js'
import type { Customers } from '../stores/customers/customers.js'
import { openRegister, readConfig } from './config.js'
import { demoCustomers } from './demo-customers.js'

const add = command('add', {
  says: 'Add them. Numbers that are taken are left as they are.',
  run: async () => await withCustomers(async customers => {
    const versions = await Promise.all(demoCustomers.map(customer => customers.register(customer, NO_ACTOR)))
    return { added: versions.filter(version => version !== null).length }
  }),
  text: ({ added }) => `Added ${count(added)}.`
})

const remove = command('remove', {
  says: 'Remove those that have not been changed.',
  json: 'how many were removed, and those that were changed',
  run: async () => await withCustomers(async customers => {
    const removed = await Promise.all(demoCustomers.map(async ({ id, name, age, address }) => {
      const found = await customers.find(id)
      if (found === null) return null
      if (found.name !== name || found.age !== age || found.address !== address) return id
      return (await customers.remove(id, [found.version], NO_ACTOR)).outcome === 'version differs' ? id : true
    }))
    return { removed: removed.filter(it => it === true).length, changed: removed.filter(it => typeof it === 'number') }
  }),
  text: ({ removed, changed }) => `Removed ${count(removed)}.${
    changed.length > 0 ? ` These were changed, or are other customers, and stay: ${changed.join(', ')}.` : ''}`
})

/** `frontdesk-customer demo`: customers to try the register with. */
export const demo = noun('demo', 'Add or remove forty invented customers, for development.', [add, remove])

async function withCustomers<T> (work: (customers: Customers) => Promise<T>): Promise<T> {
  const config = readConfig()
  if (config.production) throw new CommandError('Demo customers are for development only, and ENVIRONMENT is production.')
  const { stores, close } = await openRegister(config)
  try {
    return await work(stores.customers)
  } finally {
    await close()
  }
}

const count = (customers: number) => customers === 1 ? '1 customer' : `${customers} customers`
