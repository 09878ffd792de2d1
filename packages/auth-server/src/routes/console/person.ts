import { readEvents } from '../../admin/audit.js'
import { makeFactorLink } from '../../admin/factor-link.js'
import { listFactors, removeFactors } from '../../admin/factors.js'
import { listFailedSignIns, unlockUser } from '../../admin/failed-sign-ins.js'
import { resetPassword } from '../../admin/passwords.js'
import { invalid } from '../../admin/refusal.js'
import { findRoles } from '../../admin/roles.js'
import { endSession, listApps, listSessions, revokeAccess, signOutUser } from '../../admin/sessions.js'
import { disconnectUser } from '../../admin/upstream.js'
import { findDetails, findUser, stateOf } from '../../admin/user-details.js'
import { exportUser } from '../../admin/user-export.js'
import { removeUser, renameUser, setUserDisabled, updateUser } from '../../admin/users.js'
import { describeDevice } from '../../input/user-agent.js'
import { reason } from '../../languages/reason.js'
import { message } from '../../languages/translator.js'
import { isBuiltIn } from '../../oauth/admin-scopes.js'
import { textAttributes, userFields } from '../../oauth/user-fields.js'
import { sendsMail } from '../../settings/mail.js'
import { showFactors } from '../account/account-page.js'
import { describeScope } from '../authorize/describe-consent.js'
import { action, checkedOf, download, page, textOf } from './define.js'
import { showEvent } from './events.js'
import { linkView } from './password-link.js'
import { aboutRole } from './words.js'

/** Events on the page of a user; the audit trail has all. */
const MAX_EVENTS = 10

/** The address of a user's page. */
export const pathOfPerson = (id: string) => `/people/${encodeURIComponent(id)}`

/** A user: state, details, roles, sessions, apps with access and the last events. */
export const person = page('/people/:id', { section: 'people' }, async ({ stores, params: { id }, rights, config, by }) => {
  const user = await findDetails(stores, { id })
  const [roles, { sessions, more: moreSessions }, { authorizedApps, more: moreApps }, events, { sources }, factors] = await Promise.all([
    // Only administrators see the form for roles.
    rights.has('manage') ? findRoles(stores) : [],
    listSessions(stores, { id }),
    listApps(stores, { id }, config),
    readEvents(stores, { user: id, limit: MAX_EVENTS }),
    listFailedSignIns(stores, { id }),
    listFactors(stores, { id })
  ])
  return {
    view: 'person',
    title: user.name ?? user.username,
    data: {
      person: { ...user, state: stateOf(user) },
      path: pathOfPerson(id),
      canHelp: rights.has('manage') || (rights.has('support') && !user.roles.some(isBuiltIn)),
      mailsLink: sendsMail(config.mail) && user.passwordSetAt !== null,
      fields: textAttributes.map(name => ({ name, ...userFields[name], stored: user[name] })),
      roles: roles.map(role => ({ ...role, about: aboutRole(role), isGiven: user.roles.includes(role.name) })),
      sessions: sessions.map(({ id, userAgent, authTime, lastSeen }) =>
        ({ id, device: describeDevice(userAgent), signedIn: authTime, lastSeen })),
      moreSessions,
      apps: authorizedApps.map(({ client, scope, lastUsed }) => ({ ...client, permissions: describeScope(scope), lastUsed })),
      moreApps,
      factors: showFactors(factors),
      canLink: rights.has('manage') && stateOf(user) === 'enabled' && !(by.kind === 'user' && by.userId === id),
      trustedBrowsers: factors.trustedBrowsers.length,
      account: factors.upstream,
      events: events.items.map(showEvent),
      failures: sources
    }
  }
})

/** Everything stored about a user. */
export const userData = download('/people/:id/data', { page: person, isSensitive: true }, async ({ stores, params: { id }, by }) => {
  const data = await exportUser(stores, { id }, by)
  return { name: `${id}.json`, mediaType: 'application/json', content: `${JSON.stringify(data, null, 2)}\n` }
})

const path = <const Rest extends string>(rest: Rest) => `/people/:id/${rest}` as const

/** What administrators and support do with a user. */
export const personActions = [
  action('reset', path('reset'), { page: person, right: 'support', isSensitive: 'manage' }, async visit => {
    const { stores, params: { id }, config, by } = visit
    const { username, passwordSetAt, passwordLink, mailFailure } = await resetPassword(stores, { id }, { config }, by)
    const title = passwordSetAt === null ? 'console.link.invited-again' : 'console.link.password'
    return linkView({ id, username, ...passwordLink, mailFailure }, message(title, { username }))
  }),

  action('sign-out', path('sign-out'), {
    page: person, right: 'support', done: 'console.person.signed-out-everywhere'
  }, async ({ stores, params: { id }, by }) => {
    await signOutUser(stores, { id }, by)
    return pathOfPerson(id)
  }),

  action('end-access', path('end-access'), {
    page: person, right: 'support', done: 'console.access-removed'
  }, async visit => {
    const { stores, params: { id }, by } = visit
    await revokeAccess(stores, { user: { id }, clientId: textOf(visit, 'client') }, by)
    return pathOfPerson(id)
  }),

  action('end-session', path('end-session'), { page: person, right: 'support', done: 'console.person.signed-out' }, async visit => {
    const { stores, params: { id }, by } = visit
    await endSession(stores, { user: { id }, session: textOf(visit, 'session') }, by)
    return pathOfPerson(id)
  }),

  action('unlock', path('unlock'), {
    page: person, right: 'support', done: 'console.person.unlocked'
  }, async ({ stores, params: { id }, by }) => {
    await unlockUser(stores, { id }, by)
    return pathOfPerson(id)
  }),

  action('factor-link', path('factor-link'), { page: person, right: 'manage', isSensitive: true }, async visit => {
    const { stores, params: { id }, config, by } = visit
    const { username, link, linkEndsAt } = await makeFactorLink(stores, { id }, config, by)
    return linkView({ id, username, link, linkEndsAt }, message('console.link.set-up', { username }))
  }),

  action('remove-factors', path('remove-factors'), {
    page: person, right: 'manage', isSensitive: true, done: 'console.person.factors-removed'
  }, async ({ stores, params: { id }, config, by }) => {
    await removeFactors(stores, { id }, config, by)
    return pathOfPerson(id)
  }),

  action('disconnect', path('disconnect'), {
    page: person, right: 'manage', done: 'console.person.disconnected'
  }, async ({ stores, params: { id }, config, by }) => {
    await disconnectUser(stores, { id }, config, by)
    return pathOfPerson(id)
  }),

  action('disable', path('disable'), {
    page: person, right: 'manage', done: 'console.person.disabled'
  }, async ({ stores, params: { id }, by }) => {
    await setUserDisabled(stores, { id }, true, by)
    return pathOfPerson(id)
  }),

  action('enable', path('enable'), { page: person, right: 'manage', done: 'console.enabled' }, async ({ stores, params: { id }, by }) => {
    await setUserDisabled(stores, { id }, false, by)
    return pathOfPerson(id)
  }),

  action('details', path('details'), { page: person, right: 'manage', isSensitive: true }, async visit => {
    const { stores, params: { id }, config, by } = visit
    // Only what differs from the page, so that a page that was open for long does not undo other changes.
    const changed = textAttributes.filter(name => textOf(visit, name) !== textOf(visit, `shown_${name}`))
    const isVerified = textOf(visit, 'emailVerified') === 'yes'
    const attributes = {
      ...Object.fromEntries(changed.map(name => [name, textOf(visit, name)])),
      // The address that the page shows is the one that is verified.
      ...isVerified !== (textOf(visit, 'shown_emailVerified') === 'yes') && { emailVerified: isVerified, email: textOf(visit, 'email') }
    }
    await updateUser(stores, { id }, { attributes, config: () => config }, by)
    return pathOfPerson(id)
  }),

  action('rename', path('rename'), { page: person, right: 'manage', isSensitive: true }, async visit => {
    const { stores, params: { id }, by } = visit
    await renameUser(stores, { id }, textOf(visit, 'username'), by)
    return pathOfPerson(id)
  }),

  action('roles', path('roles'), { page: person, right: 'manage', isSensitive: true }, async visit => {
    const { stores, params: { id }, config, by } = visit
    const [given, shown] = [checkedOf(visit, 'roles'), checkedOf(visit, 'shown')]
    const roles = { add: given.filter(role => !shown.includes(role)), remove: shown.filter(role => !given.includes(role)) }
    await updateUser(stores, { id }, { attributes: {}, roles, config: () => config }, by)
    return pathOfPerson(id)
  }),

  action('remove', path('remove'), { page: person, right: 'manage', isSensitive: true, done: 'console.removed' }, async visit => {
    const { stores, params: { id }, by } = visit
    const { username } = await findUser(stores, { id })
    if (textOf(visit, 'confirm') !== username) throw invalid('confirm', reason('reason.confirm-username'))
    await removeUser(stores, { id }, by)
    return '/people'
  })
]
