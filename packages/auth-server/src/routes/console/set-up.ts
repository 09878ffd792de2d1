import { firstToken } from '../../admin/first-token.js'
import { metadataUrl } from '../../admin/libraries/library.js'
import { librariesFor, librarySettings } from '../../admin/libraries/settings.js'
import { findClient } from '../../admin/unknown.js'
import { CODE_TTL } from '../../lifetimes.js'
import { message } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import { hasSecret } from '../../registration/credentials.js'
import { pathOfApp } from './apps.js'
import { page } from './define.js'

/** How to configure an app: the values, the settings for the library in the query, and requests for a first token. */
export const setUp = page('/apps/:id/set-up', { section: 'apps' }, async ({ stores, config, params: { id }, query }) => {
  const client = await findClient(stores, id)
  const { issuer } = config
  const [libraries, library] = [librariesFor(client), single(query, 'library')]
  return {
    view: 'set-up',
    title: message('console.set-up.title', { name: client.name }),
    data: {
      name: client.name,
      path: pathOfApp(id),
      values: [
        ['console.set-up.issuer', issuer], ['console.set-up.metadata', metadataUrl(config)], ['console.apps.client-id', id],
        ...client.callbacks.map(uri => ['console.set-up.callback', uri] as const),
        ...client.resources.map(uri => ['console.set-up.resource', uri] as const)
      ],
      hasSecret: hasSecret(client),
      libraries,
      library,
      chosen: library !== undefined && libraries.includes(library) ? librarySettings(library, { ...client, issuer }) : undefined,
      requests: client.disabledAt === null ? firstToken(client, config) : null,
      codeTtl: CODE_TTL
    }
  }
})
