import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../../config.js'
import type { Inspect } from '../../grants/inspect.js'
import { parseParameters } from '../../oauth/parameters.js'
import type { Stores } from '../../stores/stores.js'
import type { Proofs } from '../../tokens/proofs.js'
import { readJsonBodies } from '../json-body.js'
import access from './access.js'
import { audit } from './audit.js'
import { clientSecrets } from './client-secrets.js'
import { clients } from './clients.js'
import { clientsFile } from './clients-file.js'
import errors from './errors.js'
import { keys } from './keys.js'
import { registrationTokens } from './registration-tokens.js'
import { operation } from './operation.js'
import { roles } from './roles.js'
import { signUpCodes } from './sign-up-codes.js'
import { userAccess } from './user-access.js'
import { userImport } from './user-import.js'
import { users } from './users.js'
import { compileValidator } from './validate.js'

interface Options {
  config: Config
  stores: Stores
  /** Identifier of the API. */
  audience: string
  inspect: Inspect
  proofs: Proofs
}

/** The routes of the administration API. */
export const endpoints = [
  ...users, ...userImport, ...userAccess, ...roles, ...clients, ...clientSecrets, ...clientsFile, ...registrationTokens, ...signUpCodes,
  ...keys, ...audit, ...operation
]

/** `/admin/api`: what operators do, as an API. Each route names the right that its caller needs. */
const admin: FastifyPluginAsync<Options> = async function admin (fastify, { config, stores, audience, inspect, proofs }) {
  const { issuer, adminUrl, adminAcr } = config
  await fastify.register(errors, { issuer })
  await fastify.register(access, { adminUrl, adminAcr, audience, stores, inspect, proofs })
  fastify.addHook('onRequest', async (request, reply) => { reply.header('cache-control', 'no-store') })
  fastify.addHook('preValidation', async request => { request.query = parseParameters(queryOf(request.url), 'invalidRequest') })
  fastify.setValidatorCompiler(compileValidator)
  readJsonBodies(fastify)
  for (const { register } of endpoints) register(fastify, { stores, config })
}
export default admin
