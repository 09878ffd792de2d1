import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { AccessToken } from '@frontdesk/schemas/access-token'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Inspect } from '../../grants/inspect.js'
import type { Client } from '../../oauth/client.js'
import { canReadDirectory, DIRECTORY_SCOPE } from '../../oauth/reserved-scopes.js'
import { parseScope } from '../../oauth/scope.js'
import { subjectOf } from '../../oauth/subject.js'
import type { Stores } from '../../stores/stores.js'
import type { Proofs } from '../../tokens/proofs.js'
import { readJsonBodies } from '../json-body.js'
import jsonErrors from '../json-errors.js'
import { AccessError, createReadAccess, refuseAccess, ResourceError } from '../resource-access.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The app that reads the directory; set before the handler runs. */
    reader: Client
  }
}

/** Maximum users of a request. */
const MAX_SUBJECTS = 100

/** Requests of a user in a minute. */
const REQUESTS_PER_USER = { name: 'directory', points: 60, duration: 60 }

const Subjects = Type.Object({
  sub: Type.Array(Type.String({ maxLength: 255 }), {
    minItems: 1, maxItems: MAX_SUBJECTS, description: 'The `sub` of users, as in the tokens of the requesting app.'
  })
})

const Names = Type.Object({
  users: Type.Array(Type.Object({ sub: Type.String(), name: Type.String({ description: 'The user\'s full name.' }) }), {
    description: 'The users who were found and have a name, in the order of the request.'
  })
})

const TOO_MANY = {
  error: 'temporarily_unavailable', error_description: 'Too many requests. Try again after the time in Retry-After.'
}

interface Options {
  issuer: string
  stores: Pick<Stores, 'clients' | 'directory' | 'throttles'>
  inspect: Inspect
  proofs: Proofs
}

/**
 * `POST /directory`: the names of users whose `sub` an app knows, such as those in a history of changes. It never lists or searches
 * users, and gives the same response for all that it does not show.
 */
const directory: FastifyPluginAsyncTypebox<Options> = async function directory (
  fastify, { issuer, stores: { clients, directory, throttles }, inspect, proofs }
) {
  const readAccess = createReadAccess({ inspect, proofs, audience: issuer, url: `${issuer}/directory` })
  const throttle = throttles.under(REQUESTS_PER_USER)

  await fastify.register(jsonErrors, {
    malformed: {
      error: 'invalid_request',
      error_description: `The request must be a JSON object with sub: an array of 1 to ${MAX_SUBJECTS} strings.`
    }
  })
  fastify.setValidatorCompiler(() => body => Value.Check(Subjects, body)
    ? { value: body }
    : { error: Object.assign(new Error('the body does not match its schema'), { statusCode: 400 }) })
  readJsonBodies(fastify)
  // as: set before a handler can read it.
  fastify.decorateRequest('reader', null as unknown as Client)

  // Before the body is read.
  fastify.addHook('onRequest', async (request, reply) => {
    try {
      const { access, isProven } = await readAccess(reply)
      request.reader = await findReader(access, isProven)
      const { retryAfter } = await throttle.count(access.sub)
      if (retryAfter > 0) return await reply.code(429).header('retry-after', retryAfter).send(TOO_MANY)
    } catch (error) {
      return await refuseAccess(reply, 'directory')(error)
    }
  })

  /** @throws AccessError */
  async function findReader ({ scope, client_id: clientId }: AccessToken, isProven: boolean): Promise<Client> {
    const client = await clients.find(clientId)
    if (client === null || client.disabledAt !== null) throw new AccessError('invalid', isProven)
    // An operator may have narrowed the client's scopes since the token was issued.
    if (parseScope(scope).includes(DIRECTORY_SCOPE) && canReadDirectory(client)) return client
    throw new AccessError('insufficient', isProven, { scope: DIRECTORY_SCOPE })
  }

  fastify.post('/directory', {
    schema: {
      operationId: 'readDirectory',
      summary: 'Read the names of users',
      description: `Needs a token for the resource \`${issuer}\` with the scope \`${DIRECTORY_SCOPE}\`. ` +
        'Users who are unknown, erased or without a name are absent from the response, as is the `sub` of another sector.',
      tags: ['OpenID Connect'],
      security: [{ bearer: [] }],
      body: Subjects,
      response: { 200: Names, '4xx': ResourceError, '5xx': ResourceError }
    }
  }, async ({ body, reader }) => {
    const subjects = [...new Set(body.sub)]
    const userIds = await findUserIds(subjects, reader)
    const named = await Promise.all(subjects.map(async sub => {
      const userId = userIds.get(sub)
      return { sub, name: userId === undefined ? null : await directory.nameOf(userId) }
    }))
    return { users: named.flatMap(({ sub, name }) => name === null ? [] : [{ sub, name }]) }
  })

  /** The user ids by `sub`. Those of another sector are not found: apps must not be able to correlate them. */
  async function findUserIds (subjects: readonly string[], client: Client): Promise<Map<string, string>> {
    if (client.sectorIdentifier === null) return new Map(subjects.map(sub => [sub, sub]))
    const users = await directory.usersOf(client.sectorIdentifier)
    return new Map(users.map(userId => [subjectOf(client, userId), userId]))
  }
}
export default directory
