import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { OutgoingError } from '@frontdesk/service-kit/outgoing/outgoing-error'
import type { Config } from '../config.js'
import { whyNotDocumentUrl } from '../registration/document-url.js'
import { examineDocument, type DocumentReport } from '../registration/examine-document.js'
import { freshFor, MAX_DOCUMENT_BYTES } from '../registration/fetch-document.js'
import { createGuardedFetch } from '../registration/guarded-fetch.js'
import type { DocumentFields } from '../registration/read-client-document.js'
import { createAssertSector } from '../registration/sector-document.js'

/** The source of the requests, for their limits. */
const SELF = '::1'

/** A checked document. */
export interface CheckedDocument extends DocumentReport {
  readonly url: string
  /** How long a server caches it, in seconds; `null`: it was not fetched. */
  readonly cacheSeconds: number | null
}

/**
 * Says what a server with these settings makes of a client ID metadata document. Fetches it as a server does.
 * @param content of the document, if it is not published yet
 */
export async function checkDocument (
  url: string, content: Buffer | undefined, rules: Pick<Config, 'allowPrivateNetworks' | 'callbackSchemes'>
): Promise<CheckedDocument> {
  const whyNot = whyNotDocumentUrl(url, rules.allowPrivateNetworks)
  if (whyNot !== null) return refuse(url, whyNot.sentence)
  const guardedFetch = createGuardedFetch(new Outgoing({ ...rules, maxAtOnce: 1 }))
  const assertSectorOf = createAssertSector(guardedFetch)
  const config = { ...rules, assertSector: async (fields: DocumentFields) => await assertSectorOf(fields, SELF) }
  if (content !== undefined) {
    if (content.length > MAX_DOCUMENT_BYTES) return refuse(url, `It has more than ${MAX_DOCUMENT_BYTES} bytes.`)
    const answer = { status: 200, type: 'application/json', text: content.toString() }
    return { url, ...await examineDocument(url, answer, config), cacheSeconds: null }
  }
  try {
    const { status, headers, text } = await guardedFetch(url, SELF, MAX_DOCUMENT_BYTES)
    const report = await examineDocument(url, { status, type: headers['content-type'], text }, config)
    return { url, ...report, cacheSeconds: freshFor(headers) }
  } catch (error) {
    if (error instanceof OutgoingError) return refuse(url, error.message)
    throw error
  }
}

function refuse (url: string, fault: string): CheckedDocument {
  return { url, accepted: false, faults: [fault], members: [], cacheSeconds: null }
}
