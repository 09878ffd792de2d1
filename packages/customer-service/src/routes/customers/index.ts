import { isUnavailable } from '@frontdesk/database/unavailable'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readForm, readJson } from '../../customer/body.js'
import { parseBulk } from '../../customer/bulk.js'
import { readId } from '../../customer/id.js'
import { formats } from '../../customer/import/file.js'
import { parseForm } from '../../input/form.js'
import { parseObject } from '../../input/json.js'
import { customerUnknown } from '../../problems/customer.js'
import { ProblemError } from '../../problems/define.js'
import type { Tail } from '../../stores/changes/tail.js'
import access, { type AccessOptions } from './access.js'
import contentTypes, { type Readers } from './content-types.js'
import deprecation from './deprecation.js'
import dismissDuplicate from './dismiss.js'
import listDuplicates from './duplicates.js'
import eraseCustomer from './erase.js'
import listEvents from './events.js'
import exportCustomers from './export.js'
import exportCustomer from './export-one.js'
import listHistory from './history.js'
import importCustomers from './import.js'
import listCustomers from './list.js'
import changeAddress from './change-address.js'
import changeCustomers from './bulk.js'
import listOperations from './operations.js'
import type { Operation } from './responses.js'
import mergeCustomer from './merge.js'
import { explainUnknown } from './merged.js'
import patchCustomer from './patch.js'
import readCustomer from './read.js'
import registerCustomer from './register.js'
import removeCustomer from './remove.js'
import listRemovedCustomers from './removed.js'
import replaceCustomer from './replace.js'
import restoreCustomer from './restore.js'
import { unavailableError } from './unavailable.js'
import undoChanges from './undo.js'

export interface CustomersOptions extends AccessOptions {
  /** The change feed, for readers that wait. */
  tail: Tail
}

const FORM = 'application/x-www-form-urlencoded'

/** A request that may be about one customer. */
interface OneRoute { Params: { customerid?: string }, Querystring: { as_of?: unknown } }

/** `/rest/qa/customer`: list, read, register, change and remove customers, with access tokens. */
export default async function customers (fastify: FastifyInstance, { tail, ...service }: CustomersOptions) {
  const { stores, config: { serviceRoot, prefix, implicitDeprecation, requireIfMatch } } = service
  await fastify.register(access, service)
  if (implicitDeprecation !== null) await fastify.register(deprecation, implicitDeprecation)

  fastify.setErrorHandler<Error, OneRoute>(async (error, request, reply) => {
    const known = isUnavailable(error) ? unavailableError(error) : await explain(error, request).catch(unavailableError)
    return reply.problem(known)
  })
  // Schemas are documentation here: the parsers in customer/ validate. Ajv would accept 1e3, 1.0 and +6 as integers.
  fastify.setValidatorCompiler(() => () => true)
  fastify.removeAllContentTypeParsers()

  /** For a customer that was merged, the error names its successor. */
  async function explain (error: Error, { params, query }: FastifyRequest<OneRoute>) {
    if (!(error instanceof ProblemError) || error.kind !== customerUnknown.kind || query.as_of !== undefined) return error
    const id = readId(params.customerid ?? '')
    return id === undefined ? error : await explainUnknown(id, error, options)
  }

  const home = `${serviceRoot}/rest/qa/customer`
  fastify.addHook('onSend', ({ method }, _reply, _payload, done) => {
    if (method !== 'GET' && method !== 'HEAD') tail.wake()
    done()
  })
  const options = { ...stores, tail, home, hrefOf: (id: number) => `${home}/${id}`, requireIfMatch, prefix }
  /** Registers operations with the readers of their bodies. */
  const register = async (readers: Readers, ...operations: Operation[]) => await fastify.register(async scope => {
    await scope.register(contentTypes, { readers })
    for (const operation of operations) await scope.register(operation, options)
  })
  // First, because its path also matches that of a customer.
  await fastify.register(async scope => {
    const readers = Object.fromEntries(Object.keys(formats).map(type => [type, () => {}]))
    await scope.register(contentTypes, { readers, isStreamed: true })
    await scope.register(importCustomers, options)
  })
  const withoutBody = [
    listCustomers, listRemovedCustomers, readCustomer, listHistory, listEvents, listOperations, listDuplicates, exportCustomers,
    exportCustomer, removeCustomer, restoreCustomer, eraseCustomer, undoChanges
  ]
  for (const operation of withoutBody) await fastify.register(operation, options)
  await register({ 'application/json': parseBulk }, changeCustomers)
  await register({ [FORM]: readForm }, registerCustomer)
  await register({ [FORM]: parseForm }, changeAddress)
  await register({ 'application/json': parseObject }, dismissDuplicate, mergeCustomer)
  await register({ 'application/json': readJson, [FORM]: readForm }, replaceCustomer)
  await register({ 'application/merge-patch+json': readJson, 'application/json': readJson, [FORM]: readForm }, patchCustomer)
}
