import { appOf } from './apps.js'
import { eventId, referenceOf } from './events.js'
import { userId } from './people.js'

/** What a page or a list may take at the 99th percentile, and what a search may, in milliseconds. */
const [LIST_MS, SEARCH_MS] = [100, 150]

const NOTHING = 'matches-nothing'

/**
 * What administrators ask: the paths of a page of the console and of an operation of the API, and the bar.
 * @param {ReturnType<typeof import('./people.js').makePeople>} people
 * @param {import('./fill.js').Sizes} sizes
 * @returns {Array<{ kind: string, bar: number, path: () => string }>}
 */
export function makeKinds (people, sizes) {
  const { clients, events } = sizes
  const below = count => Math.floor(Math.random() * count)
  const person = () => people[below(people.length)]
  const app = () => appOf(1 + below(clients - 1)).id
  const id = () => userId(below(people.length))
  const since = () => new Date(Date.now() - (1 + below(80)) * 86_400_000).toISOString().slice(0, 16)

  const lists = [
    ['people', 'people', 'users'],
    ['people after a name', 'people', 'users', () => ({ after: person().username })],
    ['people of the app everyone uses', 'people', 'users', () => ({ client: appOf(0).id })],
    ['people of an app with few', 'people', 'users', () => ({ client: app() })],
    ['people of no app', 'people', 'users', () => ({ client: NOTHING })],
    ['apps', 'apps', 'clients'],
    ['apps after one', 'apps', 'clients', () => ({ after: app() })],
    ['apps that are disabled', 'apps', 'clients', () => ({ state: 'disabled' })],
    ['implicit report', 'implicit', 'implicit-report'],
    ['roles', 'roles', 'roles'],
    ['keys', 'keys', 'keys'],
    ['health', 'health', 'health'],
    ['audit', 'audit', 'audit'],
    ['audit of a person', 'audit', 'audit', () => ({ user: person().username })],
    ['audit of a busy person', 'audit', 'audit', () => ({ user: userId(below(1_000)) })],
    ['audit of an app', 'audit', 'audit', () => ({ client: app() })],
    ['audit of the app everyone uses', 'audit', 'audit', () => ({ client: appOf(0).id })],
    ['audit by event', 'audit', 'audit', () => ({ event: 'user update' })],
    ['audit by outcome', 'audit', 'audit', () => ({ outcome: 'wrong' })],
    ['audit by address', 'audit', 'audit', () => ({ source: `10.${below(200)}.${below(250)}.1` })],
    ['audit by reference', 'audit', 'audit', () => ({ reference: referenceOf(below(events)) })],
    ['audit by time', 'audit', 'audit', () => ({ until: since() })],
    ['audit of a person, by event and outcome', 'audit', 'audit', () => ({ user: person().username, event: 'sign-in', outcome: 'wrong' })],
    ['audit without a match', 'audit', 'audit', () => ({ outcome: NOTHING })],
    ['audit of an app without a match', 'audit', 'audit', () => ({ client: appOf(0).id, outcome: NOTHING })]
  ].map(it => [LIST_MS, ...it])

  const searches = [
    ['search: a whole name', 'people', 'users', () => ({ search: person().name })],
    ['search: an email address', 'people', 'users', () => ({ search: person().email })],
    ['search: a name begun', 'people', 'users', () => ({ search: person().given.slice(0, 3) })],
    ['search: people, no match', 'people', 'users', () => ({ search: NOTHING })],
    ['search: an app', 'apps', 'clients', () => ({ search: appOf(below(clients)).name })],
    ['search: apps, no match', 'apps', 'clients', () => ({ search: NOTHING })]
  ].map(it => [SEARCH_MS, ...it])

  const pages = [
    ['console: start', () => '/admin'],
    ['console: people, newest first', () => '/admin/people?sort=newest'],
    ['console: apps, newest first', () => '/admin/apps?sort=newest'],
    ['console: a person', () => `/admin/people/${id()}`],
    ['console: the app everyone uses', () => `/admin/apps/${appOf(0).id}`],
    ['console: an app with few people', () => `/admin/apps/${app()}`],
    ['console: settings of an app', () => `/admin/apps/${app()}/edit`],
    ['console: add an app', () => '/admin/add-app'],
    ['console: set an app up', () => `/admin/apps/${app()}/set-up`],
    ['console: end of the implicit grant', () => `/admin/apps/${appOf(10 * below(clients / 10)).id}/implicit`],
    ['console: test of a callback', () => `/admin/apps/${app()}?uri=https://app.example/callback`],
    ['console: invite', () => '/admin/people/invite'],
    ['console: an event', () => `/admin/audit/${eventId(1 + below(events), sizes)}`],
    ['API: a person', () => `/admin/api/users/${id()}`],
    ['API: sessions of a person', () => `/admin/api/users/${id()}/sessions`],
    ['API: apps of a person', () => `/admin/api/users/${id()}/apps`],
    ['API: failed sign-ins of a person', () => `/admin/api/users/${id()}/failed-sign-ins`],
    ['API: an app', () => `/admin/api/clients/${app()}`],
    ['API: people of an app', () => `/admin/api/clients/${app()}/users`],
    ['API: secrets of an app', () => `/admin/api/clients/${app()}/secrets`],
    ['API: test of a callback', () => `/admin/api/clients/${app()}/callback-check?uri=https://app.example/callback`],
    ['API: registration tokens', () => '/admin/api/registration-tokens'],
    ['API: mail', () => '/admin/api/mail'],
    ['API: settings', () => '/admin/api/settings']
  ].map(([kind, path]) => ({ kind, bar: LIST_MS, path }))

  return [
    ...pages,
    ...[...lists, ...searches].flatMap(([bar, kind, page, operation, make = () => ({})]) => [
      { kind: `console: ${kind}`, bar, path: () => `/admin/${page}?${new URLSearchParams(make())}` },
      { kind: `API: ${kind}`, bar, path: () => `/admin/api/${operation}?${new URLSearchParams(toApi(make()))}` }
    ])
  ]
}

/** The console takes times in UTC without saying so. */
function toApi ({ until, ...query }) {
  return until === undefined ? query : { ...query, until: `${until}Z` }
}
