import { isReadOnly, isUnavailable } from '@frontdesk/database/unavailable'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { readForm, readJson } from '../../customer/body.js'
import { readId } from '../../customer/id.js'
import { formats } from '../../customer/import/file.js'
import { parseForm } from '../../input/form.js'
import { parseObject } from '../../input/json.js'
import type { Keys } from '../../keys/keys.js'
import { customerUnknown } from '../../problems/customer.js'
import { ProblemError } from '../../problems/define.js'
import { databaseUnavailable } from '../../problems/service.js'
import type { Revocations } from '../../revocations/revocations.js'
import { Tail } from '../../stores/changes/tail.js'
import type { Stores } from '../../stores/open.js'
import { createProofs } from '../../tokens/proofs.js'
import { createStepUpCheck } from '../../tokens/step-up.js'
import { createVerifier } from '../../tokens/verify.js'
import { metadataUrl, publicOrigin } from '../metadata/index.js'
import { parseBulk } from '../../customer/bulk.js'
import bearer from './bearer.js'
import { createAcceptBound } from './bound.js'
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
import rateLimit from './rate-limit.js'
import readCustomer from './read.js'
import registerCustomer from './register.js'
import rechangeAddress from './remove.js'
import listRemovedCustomers from './removed.js'
import replaceCustomer from './replace.js'
import restoreCustomer from './restore.js'
import undoOperation from './undo.js'

export interface CustomersOptions {
  config: Config
  stores: Stores
  /** `null` exactly if no tokens are needed (`AUTH=none`). */
  keys: Keys | null
  /** `null`: no revocation feed. */
  revocations: Revocations | null
}

const FORM = 'application/x-www-form-urlencoded'

/** A request that may be about one customer. */
interface OneRoute { Params: { customerid?: string }, Querystring: { as_of?: unknown } }

/** `/rest/qa/customer`: list, read, register, change and remove customers, with access tokens. */
export default async function customers (fastify: FastifyInstance, { config, stores, keys, revocations }: CustomersOptions) {
  const { auth, serviceRoot, prefix, implicitDeprecation, requireIfMatch } = config
  if (auth !== null && keys === null) throw new Error('tokens cannot be checked without keys')
  const verify = auth === null || keys === null ? null : createVerifier(auth, keys, revocations)
  const acceptBound = verify === null ? null : createAcceptBound(verify, createProofs(stores.proofs), publicOrigin(config))
  const stepUp = config.stepUp === null ? null : createStepUpCheck(config.stepUp)
  await fastify.register(bearer, { verify, acceptBound, stepUp, metadataUrl: metadataUrl(config) })
  if (stores.rateLimiter !== null) await fastify.register(rateLimit, { rateLimiter: stores.rateLimiter })
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
  const tail = new Tail(stores.feed)
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
    exportCustomer, rechangeAddress, restoreCustomer, eraseCustomer, undoOperation
  ]
  for (const operation of withoutBody) await fastify.register(operation, options)
  await register({ 'application/json': parseBulk }, changeCustomers)
  await register({ [FORM]: parseForm }, registerCustomer, changeAddress)
  await register({ 'application/json': parseObject }, dismissDuplicate, mergeCustomer)
  await register({ 'application/json': readJson, [FORM]: readForm }, replaceCustomer)
  await register({ 'application/merge-patch+json': readJson, 'application/json': readJson, [FORM]: readForm }, patchCustomer)
}

function unavailableError (cause: unknown) {
  const detail = isReadOnly(cause)
    ? 'The customer register can only be read at the moment. Nothing was changed.'
    : 'The customer register does not answer. Try again in a moment.'
  return databaseUnavailable(detail, { cause })
}
