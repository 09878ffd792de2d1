import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Config } from '../../config.js'
import { errors } from '../../oauth/errors.js'
import { withoutNulls } from '../../input/without-nulls.js'
import { createRegisteredSecrets } from '../../registration/credentials.js'
import { createCountRegistration } from '../../registration/limits.js'
import type { GuardedFetch } from '../../registration/guarded-fetch.js'
import { createAssertSector } from '../../registration/sector-document.js'
import type { ResponseType } from '../../response-types/response-type.js'
import type { Stores } from '../../stores/stores.js'
import { readJsonBodies } from '../json-body.js'
import jsonErrors from '../json-errors.js'
import manage from './manage.js'
import register from './register.js'

interface Options {
  config: Pick<Config, 'issuer' | 'secretKey' | 'previousSecretKey' | 'registration' | 'registrationResources' | 'registrationLimit' | 'allowPrivateNetworks' | 'callbackSchemes'>
  stores: Stores
  responseTypes: readonly ResponseType[]
  guardedFetch: GuardedFetch
}

/** `/register`: clients register themselves (RFC 7591), and manage their registration (RFC 7592). */
const registration: FastifyPluginAsync<Options> = async function registration (fastify, { config, stores, responseTypes, guardedFetch }) {
  await fastify.register(jsonErrors, {
    malformed: { error: 'invalid_client_metadata', error_description: 'The request is not valid JSON.' }
  })
  // Metadata is checked by the rules of the RFCs; the schemas document them.
  fastify.setValidatorCompiler(() => () => true)
  readJsonBodies(fastify, withoutNulls)

  const countRegistration = createCountRegistration(stores.throttles, config.registrationLimit)
  /** @throws OAuthError `tooManyRegistrations` */
  const assertNotTooMany = async (reply: FastifyReply) => {
    const retryAfter = await countRegistration(reply.request.ip)
    if (retryAfter === 0) return
    reply.header('retry-after', retryAfter)
    throw errors.tooManyRegistrations('too many registrations')
  }
  const assertSector = createAssertSector(guardedFetch)
  const options = { config, stores, secrets: createRegisteredSecrets(config), responseTypes, assertNotTooMany, assertSector }
  await fastify.register(register, options)
  await fastify.register(manage, options)
}
export default registration
