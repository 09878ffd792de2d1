import type { ListedCustomer } from '@frontdesk/schemas/customer-page'
import { makeEtag } from '../../input/etag.js'
import type { Listed } from '../../stores/search/query.js'

/** A customer as lists show it. */
export function representListed ({ id, name, age, address, version, createdAt, updatedAt }: Listed, href: string): ListedCustomer {
  return {
    customerid: id,
    customername: name,
    customerage: age,
    customeraddress: address,
    etag: makeEtag(version, 'json'),
    created: createdAt.toISOString(),
    updated: updatedAt.toISOString(),
    href
  }
}
