import { parseForeignJson } from '@frontdesk/service-kit/json'
import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import type { Client } from '../oauth/client.js'
import { shortOf } from '../oauth/error-text.js'
import { errors, metadataError } from '../oauth/errors.js'
import { readLinks } from './client-links.js'
import type { GuardedFetch } from './guarded-fetch.js'

/** Maximum size of a document, in bytes. */
const MAX_DOCUMENT_BYTES = 51_200

/**
 * Checks that the document at the `sector_identifier_uri` of a client, if it has one, lists each of its callbacks (OpenID Connect
 * Dynamic Client Registration §5).
 * @param address the request's source
 * @throws OAuthError `registrationRefused`; `tooManyDocuments`
 */
export type AssertSector = (app: Pick<Client, 'callbacks' | 'links'>, address: string) => Promise<void>

/** Makes the check. */
export function createAssertSector (guardedFetch: GuardedFetch): AssertSector {
  return async ({ callbacks, links }, address) => {
    const { sector_identifier_uri: uri } = readLinks(links)
    if (uri === undefined) return
    const listed = await fetchCallbacks(guardedFetch, uri, address)
    const missing = callbacks.find(it => !listed.includes(it))
    if (missing !== undefined) throw sectorError(`The document there does not list the callback ${shortOf(missing)}.`)
  }
}

/** Whether a client has a `sector_identifier_uri`. */
export function hasSectorDocument ({ links }: Pick<Client, 'links'>): boolean {
  return readLinks(links).sector_identifier_uri !== undefined
}

async function fetchCallbacks (guardedFetch: GuardedFetch, uri: string, address: string): Promise<unknown[]> {
  const { status, text } = await guardedFetch(uri, address, MAX_DOCUMENT_BYTES).catch((error: unknown) => {
    if (!(error instanceof OutgoingError)) throw error
    if (error.code === 'busy') throw errors.tooManyDocuments(error.message)
    throw sectorError('The document there cannot be fetched.')
  })
  if (status !== 200) throw sectorError(`The response there has the status ${status} instead of 200.`)
  const list = parseForeignJson(text)
  if (!Array.isArray(list)) throw sectorError('The document there is not a JSON array.')
  return list
}

function sectorError (sentence: string) {
  return metadataError('sector_identifier_uri', sentence)
}
