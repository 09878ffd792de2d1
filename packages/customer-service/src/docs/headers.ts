import { commonHeaders, type HeaderRule } from '@frontdesk/service-kit/document-headers'

/** Operations that return one version of a customer. */
const VERSIONS = ['registerCustomer', 'readCustomer', 'replaceCustomer', 'patchCustomer', 'changeAddressByName', 'restoreCustomer', 'exportCustomer']

/** The headers of responses, as the OpenAPI document says them. */
export const headers: readonly HeaderRule[] = [
  ...commonHeaders,
  { name: 'etag', description: 'The version of this representation, for `If-Match` and `If-None-Match`.', statuses: /^(20[014]|304|412)$/, operations: VERSIONS },
  { name: 'location', description: 'Address of the customer.', statuses: /^20[14]$/, operations: ['registerCustomer', 'restoreCustomer', 'changeAddressByName'] },
  { name: 'link', description: 'The next page, `rel="next"` (RFC 8288).', statuses: /^200$/, operations: ['listCustomers', 'listCustomerHistory', 'listCustomerEvents'] },
  {
    name: 'idempotent-replayed',
    description: '`true`: the response of an earlier request with this `Idempotency-Key`.',
    statuses: /^[24]\d\d$/,
    operations: ['registerCustomer', 'restoreCustomer', 'importCustomers', 'replaceCustomer', 'patchCustomer', 'eraseCustomer']
  },
  { name: 'x-accel-buffering', description: '`no`: nginx forwards each event at once.', statuses: /^(200|503)$/, operations: ['listCustomerEvents'] },
  { name: 'content-disposition', description: 'A name for the file.', statuses: /^200$/, operations: ['exportCustomers', 'exportCustomer'] }
]
