import { CustomerEvents, customerEventTypes, type CustomerEvent } from '@frontdesk/schemas/customer-event'
import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import { parseEventQuery } from '../../customer/event-query.js'
import { qualityOf } from '../../input/accept.js'
import { feedOff, positionGone } from '../../problems/feed.js'
import { queryInvalid } from '../../problems/list.js'
import { notAcceptable } from '../../problems/request.js'
import type { FeedChange } from '../../stores/changes/feed.js'
import type { Operation } from './operation.js'
import { always, problems } from './responses.js'

const schema = {
  operationId: 'listCustomerEvents',
  summary: 'Follow the changes of customers',
  description:
    'The change feed: an event for each change, at least once, those of one customer in order. `next` is the `after` of the next request, also of an empty page.',
  tags: ['event'],
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({ description: 'Only events after this position: `next` of the response before, or `latest`. Default: those that are kept.' })
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Events in a response, at most.' }))
  }),
  response: { 200: CustomerEvents, ...problems(...always, queryInvalid, feedOff, notAcceptable, positionGone) }
}

/** `GET /rest/qa/customer/events` returns the changes of customers as events of CloudEvents 1.0. */
const listEvents: Operation = async function listEvents (fastify, { feed, home }) {
  fastify.get('/rest/qa/customer/events', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    reply.header('Vary', 'Origin, Accept')
    if (!feed.isOn) throw feedOff('The change feed is turned off: FEED_DAYS is 0.')
    if (qualityOf(request.headers.accept, 'application/json') === 0) throw notAcceptable('Accept must allow application/json, in utf-8.')
    const { start, limit } = parseEventQuery(queryOf(request.url))
    const page = await feed.read(start, limit)
    if (typeof page === 'string') throw goneError(page)
    reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8')
    return { events: page.changes.map(represent), next: `${page.next}` } satisfies CustomerEvents
  })

  function represent ({ position, customerId, version, kind, at, fields }: FeedChange): CustomerEvent {
    return {
      specversion: '1.0',
      id: `${position}`,
      source: home,
      // as: the statements that record changes know these kinds only.
      type: customerEventTypes[kind as keyof typeof customerEventTypes],
      subject: `${customerId}`,
      time: at.toISOString(),
      datacontenttype: 'application/json',
      data: { customerid: customerId, version, fields: fields === '' ? [] : fields.split(',').map(field => `customer${field}`) }
    }
  }
}

export default listEvents

function goneError (why: 'removed' | 'unassigned') {
  return positionGone(why === 'removed'
    ? 'Events after this position were removed. Continue with ?after=latest, and list the register again.'
    : 'The feed has not reached this position. Continue with ?after=latest, and list the register again.')
}
