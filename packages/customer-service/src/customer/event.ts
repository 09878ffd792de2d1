import { customerEventTypes, type CustomerEvent } from '@frontdesk/schemas/customer-event'
import { formatCursor } from '../stores/changes/feed-cursor.js'
import type { FeedChange } from '../stores/changes/feed.js'

/** Creates a function that converts changes to CloudEvents 1.0. @param home URL of the customers, the events' `source` */
export function createRepresent (home: string): (change: FeedChange) => CustomerEvent {
  return ({ position, mark, customerId, version, kind, at, fields, successor }) => ({
    specversion: '1.0',
    id: formatCursor({ position, mark }),
    source: home,
    // as: the statements that record changes write only these kinds.
    type: customerEventTypes[kind as keyof typeof customerEventTypes],
    subject: `${customerId}`,
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data: {
      customerid: customerId,
      version,
      fields: fields === '' ? [] : fields.split(',').map(field => `customer${field}`),
      ...successor === null ? {} : { successor }
    }
  })
}
