import swagger from '@fastify/swagger'
import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import { documentHeaders, commonHeaders, type HeaderRule } from '@frontdesk/service-kit/document-headers'
import { documentSchemas } from '@frontdesk/service-kit/document-schemas'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { createSamples } from '../docs/samples.js'
import { answers } from '../problems/answers.js'
import type { Kind } from '../problems/define.js'

/** Groups of operations, in order. */
const tags = [
  { name: 'customer', description: 'Add, find, update and remove customers' },
  { name: 'event', description: 'Follow changes' },
  { name: 'problem', description: 'What each error means' },
  { name: 'discovery', description: 'Metadata of this service' },
  { name: 'operation', description: 'For operators' }
]

interface OpenapiOptions extends Pick<Config, 'auth' | 'serviceRoot'> {
  /** URL that the samples call. */
  root: string
}

/** Generates the OpenAPI 3.1 document from the schemas of the routes. */
export default fp<OpenapiOptions>(async function openapi (fastify, { auth, serviceRoot, root }) {
  const samples = createSamples(root)
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'customer-service',
        version: readVersion(new URL('../../../package.json', import.meta.url)),
        description: 'The customer register.',
        license: { name: 'MIT', identifier: 'MIT' }
      },
      servers: [{ url: serviceRoot === '' ? '/' : new URL(serviceRoot).origin }],
      tags,
      ...(auth === null ? {} : { components: { securitySchemes: securitySchemes(auth.issuer) } })
    },
    transformObject: document => 'openapiObject' in document
      ? documentSchemas(documentHeaders(document.openapiObject, headers))
      : document.swaggerObject,
    transform ({ schema, url, route }) {
      const scopes = route.config?.scope?.split(' ')
      const security = auth === null || scopes === undefined
        ? []
        : [{ code: scopes }, { implicit: scopes }, { clientCredentials: scopes }, { bearer: [] }]
      const codeSamples = samples[schema?.operationId ?? '']
      return {
        url,
        schema: {
          ...schema,
          security,
          // Operations that read a stream have no schema of the body.
          ...(schema?.consumes === undefined || schema.body !== undefined ? {} : { body: { type: 'string', description: 'The file.' } }),
          ...(codeSamples === undefined ? {} : { 'x-codeSamples': codeSamples }),
          ...(schema?.response === undefined ? {} : { response: illustrate(fastify, schema.response) })
        }
      }
    }
  })
}, { name: 'openapi', fastify: '5.x', dependencies: ['problems'] })

/** Adds a recorded example of each kind of problem to an error response. */
function illustrate (fastify: FastifyInstance, response: unknown) {
  // as: the responses that `problems()` makes have kinds.
  const responses = Object.entries(response as Record<string, { kinds?: readonly Kind[], content?: Record<string, object> }>)
  return Object.fromEntries(responses.map(([status, { kinds, ...answer }]) => {
    if (kinds === undefined) return [status, answer]
    const examples = Object.fromEntries(
      kinds.map(kind => [kind.name, { summary: kind.title, value: fastify.problemOf(kind, answers[kind.name]?.members) }])
    )
    const document = { ...answer.content?.[PROBLEM_MEDIA_TYPE], examples }
    return [status, { ...answer, content: { ...answer.content, [PROBLEM_MEDIA_TYPE]: document } }]
  }))
}

/** One scheme for each flow: Swagger UI takes a sign-in with one flow of a scheme as authorization for all its flows. */
function securitySchemes (issuer: string) {
  const base = issuer.replace(/\/$/, '')
  const authorizationUrl = `${base}/authorize`
  const scheme = <F extends object>(description: string, flows: F) => ({ type: 'oauth2' as const, description, flows })
  return {
    code: scheme(
      'Sign in with a code and PKCE.',
      { authorizationCode: { authorizationUrl, tokenUrl: `${base}/token`, scopes: customerScopes } }
    ),
    implicit: scheme(
      'Sign in with the implicit grant, for apps that support no other.',
      { implicit: { authorizationUrl, scopes: customerScopes } }
    ),
    clientCredentials: scheme(
      'For programs that act on their own behalf.',
      { clientCredentials: { tokenUrl: `${base}/token`, scopes: customerScopes } }
    ),
    bearer: {
      type: 'http' as const,
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token (RFC 6750 §2.1, RFC 9068). Send a token that is bound to a key as `Authorization: DPoP`, with a proof in the `DPoP` header (RFC 9449).'
    }
  }
}

/** Operations that return one version of a customer. */
const VERSIONS = [
  'registerCustomer', 'readCustomer', 'replaceCustomer', 'patchCustomer', 'changeAddressByName', 'restoreCustomer', 'exportCustomer'
]

/** The document describes a header once. */
const LINK = 'The next page, `rel="next"` (RFC 8288), or the customer that this one was merged into, `rel="successor-version"` (RFC 5829).'

/** Response headers in the OpenAPI document. */
const headers: readonly HeaderRule[] = [
  ...commonHeaders,
  {
    name: 'etag',
    description: 'The version of this representation, for `If-Match` and `If-None-Match`.',
    statuses: /^(20[014]|304|412)$/,
    operations: VERSIONS
  },
  {
    name: 'location',
    description: 'Address of the customer.',
    statuses: /^20[14]$/,
    operations: ['registerCustomer', 'restoreCustomer', 'changeAddressByName']
  },
  { name: 'location', description: 'Address of the customer.', statuses: /^201$/, operations: ['replaceCustomer'] },
  {
    name: 'link',
    description: LINK,
    statuses: /^200$/,
    operations: ['listCustomers', 'listCustomerHistory', 'listCustomerEvents']
  },
  {
    name: 'link',
    description: LINK,
    statuses: /^410$/,
    operations: [
      'readCustomer', 'removeCustomer', 'replaceCustomer', 'patchCustomer', 'restoreCustomer', 'eraseCustomer', 'mergeCustomer',
      'dismissDuplicate'
    ]
  },
  {
    name: 'idempotent-replayed',
    description: '`true`: the response of an earlier request with this `Idempotency-Key`.',
    statuses: /^[24]\d\d$/,
    operations: ['registerCustomer', 'restoreCustomer', 'importCustomers', 'replaceCustomer', 'patchCustomer', 'eraseCustomer']
  },
  {
    name: 'x-accel-buffering',
    description: '`no`: nginx forwards each event at once.',
    statuses: /^(200|503)$/,
    operations: ['listCustomerEvents']
  },
  { name: 'content-disposition', description: 'A name for the file.', statuses: /^200$/, operations: ['exportCustomers', 'exportCustomer'] }
]
