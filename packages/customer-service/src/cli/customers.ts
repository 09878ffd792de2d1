import { command } from '@frontdesk/service-kit/cli/command'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import { list, table } from '@frontdesk/service-kit/cli/table'
import { SERVICE_URL } from './files.js'

/** Most customers that `list` prints; `export` has no limit. */
const MAX_LISTED = 10_000

const LIMIT = { says: 'how many to print', parse: wholeNumber(MAX_LISTED), default: 50 } as const

/** New values of a customer. */
export const VALUES = {
  '--name <name>': 'new name', '--age <age>': { says: 'new age', parse: integer }, '--address <address>': 'new address'
} as const

/** The version of a customer. */
export const IF_MATCH = { says: 'only if the customer has not changed since "get" printed this ETag; "*": any version', default: '*' } as const

const loadCalls = async () => await import('./files/customers.js')

/** `frontdesk-customer list`: lists or finds customers, over HTTP. */
export const listCommand = command('list', {
  says: 'List or find customers of customer-service, with the sign-in of "login".',
  options: {
    '--url <url>': SERVICE_URL,
    '--q <words>': 'only customers with these words, this number or age',
    '--sort <field>': 'id, name, age, address or updated; -name and so on: descending',
    '--limit <customers>': LIMIT
  },
  json: 'the customers with all fields',
  run: async ({ url, q, sort, limit }) => await (await loadCalls()).listCustomers(url, { q, sort, limit }),
  fields: ({ items }) => items,
  text: ({ items }) => items.length === 0
    ? 'No customers were found.'
    : list(['NUMBER', 'NAME', 'AGE', 'ADDRESS'], items.map(it =>
      [`${it.customerid}`, it.customername, `${it.customerage}`, it.customeraddress])),
  note: ({ hasMore }) => hasMore ? 'There are more customers. To print them, raise --limit, or use "export".' : undefined
})

/** `frontdesk-customer removed`: lists or finds removed customers, over HTTP. */
export const removed = command('removed', {
  says: 'List or find removed customers, newest first, with the sign-in of "login".',
  options: {
    '--url <url>': SERVICE_URL,
    '--q <words>': 'only customers with these words, this number or age',
    '--limit <customers>': LIMIT
  },
  json: 'the customers with all fields',
  run: async ({ url, q, limit }) => await (await loadCalls()).listRemoved(url, { q, limit }),
  fields: ({ items }) => items,
  text: ({ items }) => items.length === 0
    ? 'No removed customers were found.'
    : list(['NUMBER', 'NAME', 'AGE', 'ADDRESS', 'REMOVED'], items.map(it =>
      [`${it.customerid}`, it.customername, `${it.customerage}`, it.customeraddress, it.at])),
  note: ({ hasMore }) => hasMore ? 'There are more removed customers. To print them, raise --limit.' : undefined
})

/** `frontdesk-customer restore`: restores a customer, over HTTP. */
export const restore = command('restore <number> [version]', {
  says: 'Restore a removed customer, with the sign-in of "login".',
  options: { '--url <url>': SERVICE_URL },
  json: 'the number of the customer',
  more: 'With a version of its history: restores that, even if it was not removed.',
  async run ({ number, version, url }) {
    await (await loadCalls()).restoreCustomer(url, number, version)
    return { customerid: Number(number) }
  },
  text: ({ customerid }) => `Restored customer ${customerid}.`
})

/** `frontdesk-customer get`: prints a customer, over HTTP. */
export const get = command('get <number>', {
  says: 'Print a customer of customer-service, with the sign-in of "login".',
  options: { '--url <url>': SERVICE_URL },
  json: 'the customer and its ETag',
  run: async ({ number, url }) => await (await loadCalls()).readCustomer(url, number),
  text: it => table([
    ['Number', `${it.customerid}`],
    ['Name', it.customername],
    ['Age', `${it.customerage}`],
    ['Address', it.customeraddress],
    ['ETag', it.etag]
  ])
})

/** `frontdesk-customer set`: changes fields of a customer, over HTTP. */
export const set = command('set <number>', {
  says: 'Change fields of a customer, with the sign-in of "login". The others stay.',
  options: {
    '--url <url>': SERVICE_URL,
    ...VALUES,
    '--if-match <etag>': IF_MATCH
  },
  json: 'the number of the customer',
  more: `Example:
  npx --no frontdesk-customer set 4711 --age 34 --if-match '"12-json"'`,
  async run ({ number, url, name: customername, age: customerage, address: customeraddress, ifMatch }) {
    const changes = { customername, customerage, customeraddress }
    if (Object.values(changes).every(value => value === undefined)) throw new UsageError('add --name, --age or --address')
    await (await loadCalls()).changeCustomer(url, number, changes, ifMatch)
    return { customerid: Number(number) }
  },
  text: ({ customerid }) => `Changed customer ${customerid}.`
})

/** @throws UsageError */
function integer (text: string): number {
  if (/^-?\d{1,10}$/.test(text)) return Number(text)
  throw new UsageError('Give a whole number.')
}
