import { listClients } from '../../admin/client-details.js'
import type { ShortEntry } from '../../admin/client-entry.js'
import { addClient } from '../../admin/clients.js'
import { message } from '../../languages/translator.js'
import { DEVICE_CODE } from '../../oauth/grant-types.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { single } from '../../oauth/parameters.js'
import { cursorOf } from '../../stores/access/time-order.js'
import { action, page, textOf, wordsOf } from './define.js'
import { orderOf, sortHeads } from './sorting.js'
import { queryWith, shownOf } from './words.js'

/** Apps on a page of the list. */
const PAGE_SIZE = 50

/** Apps that match a search and filters, by client_id. */
export const apps = page('/apps', { section: 'apps' }, async ({ stores, query }) => {
  const [search, state, by, sort, after] = ['search', 'state', 'by', 'sort', 'after'].map(name => single(query, name)?.trim())
  const order = orderOf(sort)
  const { clients, hasMore } = await listClients(stores, {
    search,
    isDisabled: state === 'enabled' ? false : state === 'disabled' ? true : undefined,
    isSelfRegistered: by === 'operator' ? false : by === 'itself' ? true : undefined,
    order,
    after,
    limit: PAGE_SIZE
  })
  const filter = { search, state, by }
  const isFiltered = Object.values(filter).some(value => value)
  const all = hasMore && !isFiltered && after === undefined ? await stores.overview.clients() : undefined
  const last = clients.at(-1)
  return {
    view: 'apps',
    title: message('console.navigation.apps'),
    data: {
      search,
      state,
      by,
      isFirst: after === undefined,
      isFiltered,
      total: hasMore ? shownOf(clients.length, all) : undefined,
      first: queryWith({ ...filter, sort: order }),
      next: hasMore && last !== undefined
        ? queryWith({ ...filter, sort: order, after: order === undefined ? last.clientId : cursorOf({ ...last, id: last.clientId }) })
        : undefined,
      heads: sortHeads(order, filter, 'console.app'),
      order,
      apps: clients.map(client => ({
        ...client, path: pathOfApp(client.clientId), isSelfRegistered: isSelfRegistered(client), created: client.createdAt
      }))
    }
  }
})

/** The address of an app's page. */
export function pathOfApp (clientId: string): string {
  return `/apps/${encodeURIComponent(clientId)}`
}

const CODE = ['authorization_code', 'refresh_token']
const SECRET = { tokenEndpointAuthMethod: 'client_secret_basic' } as const

/** Kinds of apps, with the fields in which they differ. */
const KINDS = {
  page: { grantTypes: CODE },
  server: { grantTypes: CODE, ...SECRET },
  native: { grantTypes: CODE, native: true },
  device: { grantTypes: [DEVICE_CODE, 'refresh_token'] },
  service: { grantTypes: ['client_credentials'], ...SECRET },
  mcp: { grantTypes: CODE, native: true },
  implicit: { grantTypes: [], implicit: 'allowed' }
} as const satisfies Record<string, object>

// as: the keys are those of its type.
const kinds = Object.keys(KINDS) as ReadonlyArray<keyof typeof KINDS>

/** The form that adds an app, of the kind in the query. */
export const addApp = page('/add-app', { section: 'apps', right: 'manage' }, async visit => {
  const { registration, clientMetadataDocuments, mcpResources } = visit.config
  const kind = visit.form === undefined ? single(visit.query, 'kind') ?? '' : textOf(visit, 'kind')
  const chosen = kinds.find(it => it === kind)
  return {
    view: 'add-app',
    title: chosen === undefined ? message('console.apps.add') : message('console.apps.add-kind', { kind: message(`console.apps.kind.${chosen}`) }),
    data: {
      kinds,
      kind: chosen,
      hasCallbacks: !['device', 'service'].includes(kind),
      isService: kind === 'service',
      mcp: kind === 'mcp' ? { registration, clientMetadataDocuments, resources: mcpResources } : undefined
    }
  }
})

export const addAppAction = action('add-app', '/add-app', {
  page: addApp, right: 'manage', isSensitive: true, done: 'console.apps.added'
}, async visit => {
  const { stores, config, by } = visit
  const entry = KINDS[kinds.find(it => it === textOf(visit, 'kind')) ?? 'page']
  const allowedScope = textOf(visit, 'allowedScope')
  const given: ShortEntry = {
    ...entry,
    grantTypes: [...entry.grantTypes],
    clientId: textOf(visit, 'clientId'),
    name: textOf(visit, 'name'),
    callbacks: wordsOf(visit, 'callbacks'),
    resources: wordsOf(visit, 'resources'),
    defaultScope: textOf(visit, 'defaultScope'),
    ...allowedScope !== '' && { allowedScope }
  }
  const { client, secret } = await addClient(stores, given, config.callbackSchemes, by)
  const next = `${pathOfApp(client.id)}/set-up`
  return secret === undefined ? next : secretView(client.id, secret, next)
})

/** The page that shows a new secret, once. @param next path of the page that follows */
export function secretView (clientId: string, secret: string, next = pathOfApp(clientId)) {
  return { view: 'secret', title: message('console.secret.title'), data: { clientId, path: pathOfApp(clientId), next, secret } }
}
