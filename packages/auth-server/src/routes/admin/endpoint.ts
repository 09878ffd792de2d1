import { PROBLEM_MEDIA_TYPE, Problem } from '@frontdesk/schemas/problem'
import { joinOr } from '@frontdesk/service-kit/join-or'
import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { Actor } from '../../admin/actor.js'
import { invalid } from '../../admin/refusal.js'
import { rolesWith, type Right } from '../../admin/rights.js'
import type { Config } from '../../config.js'
import type { Stores } from '../../stores/stores.js'
import { once } from './once.js'
import { etagOf, readIfMatch } from './version.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The parameters of a path such as `/users/:id`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}` ? Record<Name, string> : unknown

/** The input of an operation, and its caller. */
interface Input<Path extends string, Query extends TObject, Body extends TSchema> {
  readonly params: ParamsOf<Path>
  readonly query: Static<Query>
  readonly body: Static<Body>
  readonly by: Actor
  /** Checks that `If-Match` has the version of a representation; `undefined` without the header. */
  readonly check: ((representation: unknown) => void) | undefined
  readonly config: Config
}

interface Spec<Query extends TObject, Body extends TSchema, Answer extends TSchema> {
  /** Summary of the operation. */
  readonly says: string
  /** What the caller needs. */
  readonly right: Right
  /** Whether the user must have signed in recently; a right: only users who have it. */
  readonly isSensitive?: boolean | Right
  readonly query?: Query
  readonly body?: Body
  /** Maximum size of the body, in bytes. Default: that of the server. */
  readonly bodyLimit?: number
  /** Schema of the response; without one, it is 204. */
  readonly answer?: Answer
  /** Whether the response is a stream of JSON lines: `run` returns an iterable of answers. */
  readonly isStream?: boolean
  /** Whether the answer is a resource that has an `ETag`. */
  readonly hasEtag?: boolean
  /** Whether it checks `If-Match`, as every `PATCH` does. */
  readonly isConditional?: boolean
  /** Default: 200, or 204 without an answer. 201: something is created, once for an `Idempotency-Key`. */
  readonly status?: 201
}

/** A route of the administration API. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly right: Right
  readonly register: (fastify: FastifyInstance, parts: { readonly stores: Stores, readonly config: Config }) => void
}

/** Media type of JSON lines. */
export const JSON_LINES = 'application/x-ndjson'

const json = (mediaType: string, schema: TSchema, description: string) => ({ description, content: { [mediaType]: { schema } } })

/** Defines a route such as `GET /users/:id`. @param run does it, and returns the answer */
export function endpoint<
  const Path extends string,
  const Query extends TObject = TObject<Record<never, never>>,
  const Body extends TSchema = TSchema,
  const Answer extends TSchema = TSchema
> (
  operationId: string,
  route: `${Method} ${Path}`,
  {
    says, right, isSensitive = false, query, body, bodyLimit, answer, isStream = false, hasEtag = false, isConditional, status
  }: Spec<Query, Body, Answer>,
  run: (stores: Stores, input: Input<Path, Query, Body>) => Promise<unknown>
): Endpoint {
  // as: the type of the route.
  const [method, path] = route.split(' ') as [Method, Path]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const checksVersion = isConditional ?? (method === 'PATCH' && hasEtag)
  const code = status ?? (answer === undefined ? 204 : 200)
  const schema = {
    operationId,
    summary: says,
    description: needsOf(right, isSensitive),
    tags: ['Administration'],
    security: [{ bearer: [] }],
    ...status === 201 && { headers: IdempotencyKey },
    ...checksVersion && { headers: IfMatch },
    ...names.length > 0 && { params: Type.Object(Object.fromEntries(names.map(name => [name, Type.String()]))) },
    ...query !== undefined && { querystring: query },
    ...body !== undefined && { body },
    response: {
      [code]: answer === undefined
        ? Type.Null({ description: 'Done.' })
        : {
            ...json(isStream ? JSON_LINES : 'application/json', answer, answer.description ?? 'Done.'),
            ...hasEtag && { headers: { etag: ETag } }
          },
      '4xx': json(PROBLEM_MEDIA_TYPE, Problem, 'The request was rejected.'),
      '5xx': json(PROBLEM_MEDIA_TYPE, Problem, 'The server failed.')
    }
  }
  return {
    method,
    path,
    right,
    register: (fastify, { stores, config }) => fastify.route({
      method,
      url: path,
      schema,
      ...bodyLimit !== undefined && { bodyLimit },
      config: { right, isSensitive },
      async handler (request, reply) {
        // as: the schemas have checked them.
        const input = { ...readInput(request), config } as Input<Path, Query, Body>
        if (method !== 'GET' && !checksVersion && input.check !== undefined) {
          throw invalid('If-Match', 'This operation does not support If-Match.')
        }
        const value = status === 201 ? await once(stores, reply, config, stores => run(stores, input)) : await run(stores, input)
        if (hasEtag) reply.header('etag', etagOf(value))
        // as: of `isStream`.
        if (isStream) return await reply.type(JSON_LINES).send(Readable.from(linesOf(value as AsyncIterable<unknown>)))
        return await reply.code(code).send(answer === undefined ? undefined : value)
      }
    })
  }
}

/** Values as JSON lines. */
export async function * linesOf (values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}

function readInput (request: FastifyRequest) {
  const { params, query, body, caller } = request
  return { params, query, body, ...caller, check: readIfMatch(request) }
}

const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(Type.String({
    description: 'Makes retries safe: for a day, requests with the same key create only one resource.'
  }))
})

const IfMatch = Type.Object({
  'if-match': Type.Optional(Type.String({
    description: 'The `ETag` that you read. If the resource has changed since then, the response is 412.'
  }))
})

const ETag = Type.String({ description: 'Version of the resource, for `If-Match`.' })

/** What the caller of an operation needs, in sentences. */
function needsOf (right: Right, isSensitive: boolean | Right): string {
  const who = typeof isSensitive === 'string' ? `A user with the role ${joinOr(rolesWith(isSensitive))}` : 'The user'
  const recent = isSensitive === false ? '' : ` ${who} must have signed in during the last ten minutes, as \`ADMIN_ACR\` requires.`
  return `Needs the scope \`${right === 'read' ? 'admin:read' : 'admin:write'}\` and the role ${joinOr(rolesWith(right))}.${recent}`
}

/** A time, in UTC. */
export const Time = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))

/** A value, or `null`. */
export function orNull<S extends TSchema> (schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** The query of a list: one page of it. */
export const Page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Maximum number of items on a page. Default: 50.' }))
}

export const PAGE_SIZE = 50

/** A page of a list. */
export function pageOf<S extends TSchema> (item: S) {
  return Type.Object({
    items: Type.Array(item),
    next: orNull(Type.String({ description: 'Value of `after` for the next page; `null` on the last page.' }))
  }, { title: `${item.title}Page` })
}

/** Rejects fields that the schema does not define. */
export const strict = { additionalProperties: false } as const
