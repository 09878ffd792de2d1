import { adoptClient } from '../../admin/adopt-client.js'
import { readEvents } from '../../admin/audit.js'
import { checkCallback } from '../../admin/callback-check.js'
import { clientFacts } from '../../admin/client-facts.js'
import { addSecret, listSecrets, removeSecret } from '../../admin/client-secrets.js'
import { removeClient, revokeClient, setClientDisabled } from '../../admin/clients.js'
import { writePolicy } from '../../admin/implicit-policy.js'
import { invalid } from '../../admin/refusal.js'
import { listPeople, revokeAccess } from '../../admin/sessions.js'
import { findClient } from '../../admin/unknown.js'
import { reason } from '../../languages/reason.js'
import { clientDefaults, type Client } from '../../oauth/client.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { single } from '../../oauth/parameters.js'
import { hasSecret } from '../../registration/credentials.js'
import { pathOfApp, secretView } from './apps.js'
import { action, page, textOf, type Visit } from './define.js'
import { showEvent } from './events.js'
import { wordsOfPolicy } from './words.js'

/** People and events on the page of an app; their lists have all. */
const [MAX_PEOPLE, MAX_EVENTS] = [10, 10]

/** An app: its settings, a test of callbacks, secrets, people and the last events. */
export const app = page('/apps/:id', { section: 'apps' }, async visit => {
  const { stores, params: { id } } = visit
  const client = await findClient(stores, id)
  const [secrets, { people, hasMore }, events, check] = await Promise.all([
    listSecrets(stores, id),
    listPeople(stores, id, MAX_PEOPLE),
    readEvents(stores, { client: id, limit: MAX_EVENTS }),
    checkOf(visit)
  ])
  return {
    view: 'app',
    title: client.name,
    data: {
      app: {
        id,
        isDisabled: client.disabledAt !== null,
        isSelfRegistered: isSelfRegistered(client),
        allowedScope: client.allowedScope ?? '*',
        hasImplicit: client.implicit !== 'off'
      },
      path: pathOfApp(id),
      logo: client.logoName,
      ...factsOf(client),
      created: client.createdAt,
      hasSecret: hasSecret(client),
      secrets: secrets.map(({ slot, createdAt }) => ({ slot, created: createdAt })),
      people,
      hasMorePeople: hasMore,
      events: events.items.map(showEvent),
      check
    }
  }
})

/** The settings that differ from the defaults, and the others. */
function factsOf (client: Client) {
  const defaults = clientFacts({ ...client, ...clientDefaults, implicitUntil: null })
  const usual = new Map(defaults.map(([label, value]) => [label, JSON.stringify(value)]))
  const facts = clientFacts(client).map(([label, value]) => ({
    label,
    values: label === 'field.implicit' ? [wordsOfPolicy(writePolicy(client))] : [value].flat(),
    isUsual: usual.get(label) === JSON.stringify(value)
  }))
  return { facts: facts.filter(({ isUsual }) => !isUsual), usualFacts: facts.filter(({ isUsual }) => isUsual) }
}

/** Compares the callback in the query with the app's callbacks, and splits it at the first difference. */
async function checkOf ({ stores, config, params: { id }, query }: Visit<'/apps/:id'>) {
  const uri = single(query, 'uri')?.trim()
  if (uri === undefined) return undefined
  const { matches, nearest, difference, position, fault } = await checkCallback(stores, id, uri, config.callbackSchemes)
  const at = position ?? 0
  return { uri, matches, nearest, difference, fault, same: uri.slice(0, at), first: uri.slice(at, at + 1), rest: uri.slice(at + 1) }
}

const path = <const Rest extends string>(rest: Rest) => `/apps/:id/${rest}` as const
const spec = { page: app, right: 'manage' } as const

/** What administrators do with an app. */
export const appActions = [
  action('disable-app', path('disable'), {
    ...spec, done: 'console.app.disabled'
  }, async ({ stores, params: { id }, by }) => {
    await setClientDisabled(stores, id, true, by)
    return pathOfApp(id)
  }),

  action('enable-app', path('enable'), { ...spec, done: 'console.enabled' }, async ({ stores, params: { id }, by }) => {
    await setClientDisabled(stores, id, false, by)
    return pathOfApp(id)
  }),

  action('revoke-app', path('revoke'), {
    ...spec, done: 'console.app.revoked'
  }, async ({ stores, params: { id }, by }) => {
    await revokeClient(stores, id, by)
    return pathOfApp(id)
  }),

  action('adopt-app', path('adopt'), { ...spec, isSensitive: true, done: 'console.app.approved' }, async visit => {
    const { stores, params: { id }, by } = visit
    await adoptClient(stores, id, textOf(visit, 'allowedScope') || undefined, by)
    return pathOfApp(id)
  }),

  action('remove-access', path('remove-access'), {
    page: app, right: 'support', done: 'console.access-removed'
  }, async visit => {
    const { stores, params: { id }, by } = visit
    await revokeAccess(stores, { user: { id: textOf(visit, 'user') }, clientId: id }, by)
    return pathOfApp(id)
  }),

  action('add-secret', path('secrets'), { ...spec, isSensitive: true }, async ({ stores, params: { id }, by }) => {
    const { secret } = await addSecret(stores, id, by)
    return secretView(id, secret)
  }),

  action('remove-secret', path('remove-secret'), { ...spec, isSensitive: true, done: 'console.secret.removed' }, async visit => {
    const { stores, params: { id }, by } = visit
    await removeSecret(stores, id, textOf(visit, 'slot'), by)
    return pathOfApp(id)
  }),

  action('remove-app', path('remove'), { ...spec, isSensitive: true, done: 'console.removed' }, async visit => {
    const { stores, params: { id }, by } = visit
    await findClient(stores, id)
    if (textOf(visit, 'confirm') !== id) throw invalid('confirm', reason('reason.confirm-client'))
    await removeClient(stores, id, by)
    return '/apps'
  })
]
