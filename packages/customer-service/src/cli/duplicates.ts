import { command } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { SERVICE_URL } from './files.js'

/** `frontdesk-customer duplicates`: lists pairs of customers that may be one person, over HTTP. */
export const duplicates = command('duplicates', {
  says: 'List customers that may be registered twice, with the sign-in of "login".',
  options: { '--url <url>': SERVICE_URL },
  json: 'the pairs',
  more: 'The pairs have the same name, ignoring case and accents, and a similar\naddress or age. Prints the first 1,000.',
  async run ({ url }) {
    const { listDuplicates } = await import('./files/list-duplicates.js')
    return await listDuplicates(url)
  },
  text: pairs => pairs.length === 0
    ? 'There are no possible duplicates.'
    : list(['NUMBERS', 'NAME', 'AGES', 'ADDRESSES'], pairs.map(({ customers: [one, other] }) => [
      `${one.customerid}, ${other.customerid}`,
      one.customername,
      `${one.customerage}, ${other.customerage}`,
      one.customeraddress === other.customeraddress ? one.customeraddress : `${one.customeraddress} | ${other.customeraddress}`
    ]))
})
