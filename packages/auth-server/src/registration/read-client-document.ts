import { parseForeignJson } from '@frontdesk/service-kit/json'
import { withoutNulls } from '../input/without-nulls.js'
import { errors, metadataError, OAuthError } from '../oauth/errors.js'
import { readClientMetadata, type MetadataRules, type RegisteredFields } from './client-metadata.js'
import { namedMethods } from './auth-method.js'
import { hasSecret } from './credentials.js'
import { USUAL_GRANTS } from '../oauth/grant-types.js'

/** The response of the document's server. */
export interface DocumentAnswer {
  readonly status: number
  /** `Content-Type`. */
  readonly type: string | undefined
  readonly text: string
}

/** The settings for valid documents. */
export type DocumentConfig = Pick<MetadataRules, 'allowPrivateNetworks' | 'callbackSchemes'>

/** The fields of a client that its document sets. */
export type DocumentFields = Omit<RegisteredFields, 'sectorIdentifier'>

/**
 * Reads a client ID metadata document (draft-ietf-oauth-client-id-metadata-document-02 §4, §5), by the rules for all clients.
 * @throws OAuthError `unreadableClient`
 */
export function readClientDocument (id: string, { status, type = '', text }: DocumentAnswer, config: DocumentConfig): DocumentFields {
  const refuse = (fault: string, member?: unknown) =>
    errors.unreadableClient(fault, { client: id, ...member !== undefined && { member } }, { fault })
  if (status !== 200) throw refuse(`It was answered with the status ${status} instead of 200.`)
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(type)) throw refuse('Its Content-Type is not application/json.')
  const document = parseDocument(text)
  if (document === undefined) throw refuse('It is not a JSON object.')
  if (document.client_id !== id) throw refuse('Its client_id is not its own address.', 'client_id')
  const secret = ['client_secret', 'client_secret_expires_at'].find(it => it in document)
  if (secret !== undefined) throw refuse('It holds a client_secret: everyone can read it.', secret)
  try {
    const rules = { grants: USUAL_GRANTS, allowedScope: null, usualMethod: 'none', ...config }
    const { sectorIdentifier, ...fields } = readClientMetadata({ client_name: new URL(id).hostname.slice(0, 100), ...document }, rules)
    if (namedMethods(document).some(tokenEndpointAuthMethod => hasSecret({ tokenEndpointAuthMethod }))) {
      throw metadataError('token_endpoint_auth_method', 'Without a registration there is no secret. Use none or private_key_jwt.')
    }
    // The document can change at any time, and with it the sub of each user.
    if (sectorIdentifier !== null) throw metadataError('subject_type', 'Only a client that is registered can have pairwise subjects.')
    if (fields.requirePushedAuthorizationRequests) {
      throw metadataError('require_pushed_authorization_requests', 'A client cannot push requests before it is known here.')
    }
    return {
      ...fields,
      // As the database returns them.
      callbacks: fields.callbacks.toSorted(),
      postLogoutRedirectUris: fields.postLogoutRedirectUris.toSorted()
    }
  } catch (error) {
    if (error instanceof OAuthError && error.kind === 'registrationRefused') throw refuse(error.description, error.facts.member)
    throw error
  }
}

/** The members of a document that are not null; `undefined` if it is no JSON object. */
export function parseDocument (text: string): Record<string, unknown> | undefined {
  const value: unknown = withoutNulls(parseForeignJson(text))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
