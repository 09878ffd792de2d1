import { Customer } from '@frontdesk/schemas/customer'
import { queryOf } from '@frontdesk/service-kit/path'
import { logIfLeft } from '@frontdesk/service-kit/plugins/request-log'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { exportFormats, type Format } from '../../customer/export/formats.js'
import { oneOf, parseQuery } from '../../customer/query.js'
import { acceptQuality } from '../../input/media-type.js'
import { queryInvalid } from '../../problems/request.js'
import { notAcceptable } from '../../problems/request.js'
import type { Page, Position } from '../../stores/search/query.js'
import { type Operation, always, ofStepUp, problems } from './responses.js'
import { makeRecheck, type Recheck } from './recheck.js'

/** Customers to read and hold at once. */
const MAX_CUSTOMERS_READ = 500

const BYTE_ORDER_MARK = '\ufeff'
/** EOT, which no value contains. */
const END_MARK = '\u0004'

const schema = {
  operationId: 'exportCustomers',
  summary: 'Export all customers as a file',
  description:
    'CSV, unless `Accept` prefers NDJSON or a JSON array, ordered by identifier. The export is not a snapshot: each part of the file is read when it is sent. On an error, the connection closes before the transfer is complete.',
  tags: ['customer'],
  querystring: Type.Object({
    bom: Type.Optional(Type.Boolean({
      default: false, description: 'Starts the file with a byte order mark, so that Excel reads CSV as UTF-8.'
    })),
    end: Type.Optional(Type.Boolean({
      default: false, description: 'Ends the file with the character U+0004, which shows that it is complete. Some proxies hide interrupted transfers.'
    }))
  }),
  response: {
    200: {
      description: 'The file.',
      content: Object.fromEntries(Object.keys(exportFormats).map(type =>
        [type, { schema: type === 'application/json' ? Type.Array(Customer) : Type.String() }]))
    },
    ...problems(...always, ...ofStepUp, queryInvalid, notAcceptable)
  }
}

/** `GET /rest/qa/customer/export` returns all customers as a file. */
const exportCustomers: Operation = async function exportCustomers (fastify, { search }) {
  fastify.get('/rest/qa/customer/export', { schema, config: { scope: 'customer:read', needsStepUp: true } }, send)

  async function send (request: FastifyRequest, reply: FastifyReply) {
    reply.headers({ Vary: 'Origin, Accept', 'Cache-Control': 'no-store' })
    const isOne = oneOf(['true', 'false'])
    const { bom, end } = parseQuery(queryOf(request.url), { bom: isOne, end: isOne })
    const [type, format] = negotiate(request.headers.accept)
    const recheck = makeRecheck(() => request.recheckToken())
    // Before the response begins, so that a database failure is a 503 instead of an incomplete file.
    const first = request.method === 'HEAD' ? null : await read(null)
    reply.type(`${type}; charset=utf-8`).header('Content-Disposition', `attachment; filename="customers.${format.ending}"`)
    if (first === null) return await reply.send()
    logIfLeft(request, reply)
    const file = {
      ...format,
      start: `${bom === 'true' ? BYTE_ORDER_MARK : ''}${format.start}`,
      end: `${format.end}${end === 'true' ? END_MARK : ''}`
    }
    return await reply.send(Readable.from(write(file, first, recheck), { objectMode: false }))
  }

  async function read (after: Position | null) {
    const everything = { filters: { words: [] }, sort: 'id', descending: false, limit: MAX_CUSTOMERS_READ } as const
    return await search.list({ ...everything, ...after === null ? {} : { after } })
  }

  /** Reads a page when the client has taken the one before. An error closes the connection, so that the file is incomplete. */
  async function * write ({ start, write, end }: Format, first: Page, recheck: Recheck): AsyncGenerator<string, void, undefined> {
    yield start
    for (let page = first; ; page = await read(page.next)) {
      const customers = page.customers.map(({ id, name, age, address }) =>
        ({ customerid: id, customername: name, customerage: age, customeraddress: address }))
      if (customers.length > 0) yield write(customers, page === first)
      if (page.next === null) break
      if (fastify.stopping.aborted) throw new Error('the service stops: the export is not complete')
      await recheck()
    }
    yield end
  }
}

export default exportCustomers

function negotiate (accept: string | undefined): [type: string, format: Format] {
  const [best] = Object.entries(exportFormats)
    .map(([type, format]) => ({ type, format, quality: acceptQuality(accept, type) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
  if (best === undefined) throw notAcceptable(`Accept must allow ${Object.keys(exportFormats).join(', ')}, in utf-8.`)
  return [best.type, best.format]
}
