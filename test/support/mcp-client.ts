import { temporaryFolder } from '@frontdesk/test-kit/database'
import type {
  OAuthClientProvider, OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens
} from '@modelcontextprotocol/client'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { Test } from 'tap'

/** What an MCP client says of itself. */
function metadataOf (callback: string) {
  return {
    client_name: 'An assistant',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none'
  }
}

/** Publishes the metadata document of an MCP client over https. Gives its URL, and the file with the certificate of the authority. */
export async function publishDocument (t: Test, callback: string) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'basicConstraints', cA: true }, { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }]
  })
  const server = createServer({ key, cert }, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ client_id: document, ...metadataOf(callback) }))
  }).listen(0, 'localhost')
  await once(server, 'listening')
  t.teardown(() => server.close())
  // as: it listens on a port.
  const document = `https://localhost:${(server.address() as AddressInfo).port}/client.json`
  const ca = join(temporaryFolder(t), 'ca.pem')
  await writeFile(ca, cert)
  return { document, ca }
}

/** What an MCP client keeps. */
interface Kept {
  client?: StoredOAuthClientInformation
  discovered?: OAuthDiscoveryState
  tokens?: StoredOAuthTokens
  verifier?: string
  /** The last address that it opened. */
  url?: string
}

/** An MCP client that keeps everything in memory. @param document its metadata document; without one, it registers itself */
export function createProvider (callback: string, document: string | undefined) {
  const kept: Kept = {}
  const provider = {
    redirectUrl: callback,
    ...document !== undefined && { clientMetadataUrl: document },
    clientMetadata: metadataOf(callback),
    clientInformation: () => kept.client,
    saveClientInformation: client => { kept.client = client },
    tokens: () => kept.tokens,
    saveTokens: tokens => { kept.tokens = tokens },
    redirectToAuthorization: url => { kept.url = url.href },
    saveCodeVerifier: verifier => { kept.verifier = verifier },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: state => { kept.discovered = state },
    discoveryState: () => kept.discovered
  } satisfies OAuthClientProvider
  return { kept, provider }
}
