import { ListedCustomer } from '@frontdesk/schemas/customer-page'
import { logIfLeft } from '@frontdesk/service-kit/plugins/request-log'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { CustomerPath, parseId } from '../../customer/id.js'
import { customerUnknown } from '../../problems/customer.js'
import type { PastChange, StoredData } from '../../stores/changes/history.js'
import { CustomerChange, representChange } from './change.js'
import { representListed } from './list.js'
import { type Operation, always, ofStepUp, problems } from './responses.js'
import { makeRecheck, type Recheck } from './recheck.js'

/** Changes to read and hold at once. */
const MAX_CHANGES_READ = 200

const time = (description: string) => Type.String({ format: 'date-time', description })

/** All data about a customer. */
const CustomerExport = Type.Object({
  customerid: Type.Integer({ examples: [4711] }),
  customer: Type.Union([ListedCustomer, Type.Null()], { description: 'null if it was removed.' }),
  storedAnswers: Type.Array(Type.Object({
    version: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Version that was registered. null if the number was already in use.'
    }),
    created: time('When the answer was given.'),
    expires: time('When it is removed.')
  }), { description: 'Metadata of the newest 1,000 responses to requests with an Idempotency-Key.' }),
  history: Type.Array(CustomerChange, { description: 'All changes, newest first.' })
})

const schema = {
  operationId: 'exportCustomer',
  summary: 'Export all data about a customer',
  description:
    'One JSON document: the customer, its whole history, and metadata of stored responses. Works for removed customers while their history is kept.',
  tags: ['customer'],
  params: CustomerPath,
  response: {
    200: { description: 'The document, as a file.', content: { 'application/json': { schema: CustomerExport } } },
    ...problems(...always, ...ofStepUp, customerUnknown)
  }
}

/** `GET /rest/qa/customer/{customerid}/export` returns all data about a customer. */
const exportCustomer: Operation = async function exportCustomer (fastify, { history, hrefOf }) {
  fastify.get<{ Params: CustomerPath }>('/rest/qa/customer/:customerid/export', {
    schema, config: { scope: 'customer:read', needsStepUp: true }
  }, send)

  async function send (request: FastifyRequest<{ Params: CustomerPath }>, reply: FastifyReply) {
    const recheck = makeRecheck(() => request.recheckToken())
    const id = parseId(request.params.customerid)
    const data = await history.findData(id)
    const changes = await history.list(id, MAX_CHANGES_READ)
    if (data.customer === null && data.answers.length === 0 && changes.length === 0) {
      throw customerUnknown(`There is no data about a customer with the identifier ${id}.`)
    }
    reply.headers({ 'Cache-Control': 'no-store', 'Content-Disposition': `attachment; filename="customer-${id}.json"` })
    reply.type('application/json; charset=utf-8')
    if (request.method === 'HEAD') return await reply.send()
    logIfLeft(request, reply)
    return await reply.send(Readable.from(write(id, data, changes, recheck), { objectMode: false }))
  }

  /** Reads a page when the client has taken the one before. An error closes the connection, so that the document is incomplete. */
  async function * write (id: number, data: StoredData, first: PastChange[], recheck: Recheck) {
    yield JSON.stringify({ customerid: id, ...represent(id, data, hrefOf(id)) }).slice(0, -1) + ',"history":['
    let separator = ''
    for (let changes = first; changes.length > 0;) {
      yield separator + changes.map(change => JSON.stringify(representChange(id, change))).join(',')
      separator = ','
      await recheck()
      // as: there is a last one.
      changes = changes.length < MAX_CHANGES_READ ? [] : await history.list(id, MAX_CHANGES_READ, (changes.at(-1) as PastChange).seq)
    }
    yield ']}\n'
  }
}

export default exportCustomer

function represent (id: number, { customer, answers }: StoredData, href: string) {
  return {
    customer: customer === null ? null : representListed({ ...customer, id, ...formatTimes(customer) }, href),
    storedAnswers: answers.map(({ version, createdAt, expiresAt }) =>
      ({ version, created: createdAt.toISOString(), expires: expiresAt.toISOString() }))
  }
}

function formatTimes ({ createdAt, updatedAt }: { createdAt: Date, updatedAt: Date }) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
