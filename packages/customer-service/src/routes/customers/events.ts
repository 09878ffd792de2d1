import { CustomerEvents, type CustomerEvent } from '@frontdesk/schemas/customer-event'
import { queryOf } from '@frontdesk/service-kit/path'
import { logIfLeft } from '@frontdesk/service-kit/plugins/request-log'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { parseEventQuery } from '../../customer/event-query.js'
import { createRepresent } from '../../customer/event.js'
import { acceptQuality } from '../../input/media-type.js'
import { queryInvalid } from '../../problems/request.js'
import { feedOff, positionGone } from '../../problems/feed.js'
import { notAcceptable } from '../../problems/request.js'
import { serviceOverloaded } from '../../problems/service.js'
import { formatCursor, type FeedCursor } from '../../stores/changes/feed-cursor.js'
import type { FeedPage, FeedStart, FeedChange } from '../../stores/changes/feed.js'
import { callerOf } from './actor.js'
import { type Operation, always, problems } from './responses.js'
import { makeRecheck, type Recheck } from './recheck.js'

const STREAM = 'text/event-stream'

const schema = {
  operationId: 'listCustomerEvents',
  summary: 'Follow changes to customers',
  description:
    'The change feed delivers each change at least once, and one customer\'s changes in order. JSON returns a page: send its `next` as the `after` of the next request, even if the page is empty. `Accept: text/event-stream` opens a stream that stays open: `data` is an event, `id` its `id`.',
  tags: ['event'],
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({ description: 'Only events after this one: `next` of the previous response, the `id` of an event, `oldest` or `latest`. Default: `oldest`, those that are kept.' })
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Maximum events on a page.' }))
  }),
  headers: Type.Object({
    'last-event-id': Type.Optional(Type.String({ description: 'Sent when an interrupted stream reconnects. Overrides `after`.' }))
  }),
  response: {
    200: {
      description: 'A page of events, or the stream of events.',
      content: { 'application/json': { schema: CustomerEvents }, 'text/event-stream': { schema: Type.String() } }
    },
    ...problems(...always, queryInvalid, feedOff, notAcceptable, positionGone)
  }
}

/** `GET /rest/qa/customer/events` returns the changes of customers as events of CloudEvents 1.0: a page, or a stream. */
const listEvents: Operation = async function listEvents (fastify, { feed, tail, home }) {
  const represent = createRepresent(home)
  fastify.stopping.addEventListener('abort', () => tail.wake(0))

  fastify.get('/rest/qa/customer/events', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    reply.headers({ Vary: 'Origin, Accept', 'Cache-Control': 'no-store' })
    if (!feed.isOn) throw feedOff('The change feed is turned off: FEED_DAYS is 0.')
    const isStream = negotiate(request) === STREAM
    const { start, limit } = parseEventQuery(queryOf(request.url), isStream ? request.headers['last-event-id'] : undefined)
    if (isStream) return await stream(start, reply)
    const page = checkPage(await feed.read(start, limit))
    return await reply.type('application/json; charset=utf-8')
      .send({ events: page.changes.map(represent), next: formatCursor(page.next) } satisfies CustomerEvents)
  })

  async function stream (start: FeedStart, reply: FastifyReply) {
    const { raw, request } = reply
    const { next: cursor } = checkPage(await feed.read(start, 0))
    // For nginx.
    reply.type(STREAM).header('X-Accel-Buffering', 'no')
    if (request.method === 'HEAD' || reply.raw.destroyed) return await reply.send()
    const leave = fastify.stopping.aborted ? null : tail.open(callerOf(request))
    if (leave === null) {
      throw serviceOverloaded('Too many event streams are open, in total or for you. Try again in a moment.')
    }
    raw.once('close', leave)
    logIfLeft(request, reply)
    return await reply.send(Readable.from(writeStream({
      cursor,
      pages: tail.follow(cursor),
      isOver: () => raw.destroyed || fastify.stopping.aborted,
      recheck: makeRecheck(() => request.recheckToken())
    }, represent)))
  }
}

export default listEvents

function negotiate ({ headers: { accept } }: FastifyRequest) {
  const [asPage, asStream] = [acceptQuality(accept, 'application/json'), acceptQuality(accept, STREAM)]
  if (asStream > asPage) return STREAM
  if (asPage === 0) throw notAcceptable('Accept must allow application/json or text/event-stream, in utf-8.')
  return 'application/json'
}

function checkPage (page: FeedPage) {
  if (!('gap' in page)) return page
  const why = page.gap === 'removed'
    ? 'Events after this position were removed.'
    : 'This position is not of the past of this database: it was restored, or a standby took over.'
  throw positionGone(`${why} Store next, list all customers again, and continue with the events after next.`, {
    members: { next: formatCursor(page.next) }
  })
}

/** Between comments on an idle stream, in milliseconds: less than the timeouts of proxies and `connectionTimeout`. */
const HEARTBEAT_MS = 15_000

/** Delay of reconnects, in milliseconds. */
const RETRY_MS = 2_000

interface EventStream {
  /** Start of the stream. */
  cursor: FeedCursor
  /** Changes after it, and an empty page from time to time. */
  pages: AsyncIterable<FeedChange[]>
  isOver: () => boolean
  recheck: Recheck
}

/** Writes events as `text/event-stream`: https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function * writeStream (
  { cursor, pages, isOver, recheck }: EventStream,
  represent: (change: FeedChange) => CustomerEvent
): AsyncGenerator<string, void, undefined> {
  let sent = performance.now()
  // `id`: for a reader that reconnects before the first event.
  yield `retry: ${RETRY_MS}\nid: ${formatCursor(cursor)}\n\n`
  for await (const changes of pages) {
    if (isOver()) return
    try {
      await recheck()
    } catch {
      return
    }
    const time = performance.now()
    if (changes.length === 0 && time - sent < HEARTBEAT_MS) continue
    yield changes.length === 0 ? ':\n\n' : changes.map(it => `id: ${formatCursor(it)}\ndata: ${JSON.stringify(represent(it))}\n\n`).join('')
    sent = time
  }
}
