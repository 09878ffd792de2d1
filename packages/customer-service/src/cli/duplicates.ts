import { command } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { SERVICE_URL } from './files.js'

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
