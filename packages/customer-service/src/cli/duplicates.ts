import { command } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { IF_MATCH, VALUES } from './customers.js'
import { SERVICE_URL } from './files.js'
import { howToUndo } from './operations.js'

/** Most pairs that it prints. */
const MAX_PAIRS = 1_000

/** `frontdesk-customer duplicates`: lists pairs of customers that may be one person, over HTTP. */
export const duplicates = command('duplicates', {
  says: 'List customers that may be registered twice, with the sign-in of "login".',
  options: { '--url <url>': SERVICE_URL },
  json: 'the pairs',
  more: 'The pairs have the same name, ignoring case and accents, and a similar\naddress or age. ' +
    `Prints the first ${MAX_PAIRS.toLocaleString('en')}.`,
  async run ({ url }) {
    const { listDuplicates } = await import('./files/customers.js')
    return await listDuplicates(url, { limit: MAX_PAIRS })
  },
  fields: ({ items }) => items,
  text: ({ items }) => items.length === 0
    ? 'There are no possible duplicates.'
    : list(['NUMBERS', 'NAME', 'AGES', 'ADDRESSES'], items.map(({ customers }) => [
      customers.map(it => it.customerid).join(', '),
      customers[0]?.customername ?? '',
      customers.map(it => it.customerage).join(', '),
      [...new Set(customers.map(it => it.customeraddress))].join(' | ')
    ])),
  note: ({ hasMore }) => hasMore ? 'There are more pairs. Merge or dismiss these, and run the command again.' : undefined
})

/** `frontdesk-customer merge`: merges a customer into another one, over HTTP. */
export const merge = command('merge <into> <from>', {
  says: 'Merge a customer into another one, with the sign-in of "login".',
  options: {
    '--url <url>': SERVICE_URL,
    ...VALUES,
    '--if-match <etag>': IF_MATCH,
    '--from-etag <etag>': { ...IF_MATCH, says: 'the same for the customer that is merged into it' }
  },
  json: 'the customer that stays, and the operation',
  more: `The customer <into> keeps its values, unless options give others. <from> is
removed, and its number leads to <into>.

Example:
  npx --no frontdesk-customer merge 1 2 --address 'Rue Lepic 15'`,
  async run ({ into, from, url, fromEtag, ifMatch, name: customername, age: customerage, address: customeraddress }) {
    const { mergeCustomer } = await import('./files/customers.js')
    const values = { customername, customerage, customeraddress }
    return { from, ...await mergeCustomer(url, into, { from: Number(from), fromEtag, ...values }, ifMatch) }
  },
  text: ({ customerid, from, operation }) =>
    `Merged customer ${from} into customer ${customerid}.${operation === undefined ? '' : `\n${howToUndo(operation)}`}`
})
