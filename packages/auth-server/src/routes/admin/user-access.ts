import { Type } from '@sinclair/typebox'
import { makeFactorLink } from '../../admin/factor-link.js'
import { listFactors, removeFactors } from '../../admin/factors.js'
import { disconnectUser } from '../../admin/upstream.js'
import { listFailedSignIns, unlockUser } from '../../admin/failed-sign-ins.js'
import { endSession, listApps, listSessions, revokeAccess } from '../../admin/sessions.js'
import { exportUser } from '../../admin/user-export.js'
import { endpoint, orNull, Time, type Endpoint } from './endpoint.js'

const more = Type.Boolean({ description: 'Whether there are more than these.' })

const Session = Type.Object({
  id: Type.String({ description: 'Identifier, which cannot be used to sign in.' }),
  authTime: Type.Unsafe<Date>({ ...Time, description: 'When the user entered the password.' }),
  lastSeen: Type.Unsafe<Date>({ ...Time, description: 'When the browser was last seen, to within a few minutes.' }),
  userAgent: orNull(Type.String({ description: '`User-Agent` of the browser at sign-in.' }))
})

const Items = (description: string) => Type.Array(Type.Unknown(), { description })

const App = Type.Object({
  client: Type.Object({
    id: Type.String(),
    name: Type.String(),
    registeredBy: Type.String({ description: 'Who registered it: `operator`, or how it registered itself.' })
  }),
  scope: Type.Array(Type.String(), { description: 'Known scopes of its tokens and of remembered consent.' }),
  since: Type.Unsafe<Date>({ ...Time, description: 'When the oldest of them was granted.' }),
  lastUsed: orNull(Type.Unsafe<Date>({ ...Time, description: 'When it last got a token; `null`: it has none.' })),
  endsAt: orNull(Type.Unsafe<Date>({ ...Time, description: 'When its last token expires.' })),
  isRemembered: Type.Boolean({ description: 'Whether consent is remembered, so that the app gets tokens without asking the user.' })
})

const Source = Type.Object({
  source: Type.String({ description: 'Address or network.' }),
  failures: Type.Integer({ description: 'Failed attempts in the last 15 minutes.' }),
  isLimited: Type.Boolean({ description: 'Whether attempts from there are rejected until the time in `until`.' }),
  until: Type.Unsafe<Date>({ ...Time, description: 'When the count resets.' })
}, { title: 'FailedSignIns' })

const Factors = Type.Object({
  authenticator: orNull(Type.Object({
    createdAt: Time,
    lastUsedAt: orNull(Type.Unsafe<Date>({ ...Time, description: 'Last sign-in with it.' }))
  }, { description: 'Authenticator app.' })),
  passkeys: Type.Array(Type.Object({
    name: Type.String({ description: 'Name that the user chose.' }),
    createdAt: Time,
    lastUsedAt: orNull(Type.Unsafe<Date>({ ...Time, description: 'Last sign-in with it.' }))
  })),
  recoveryCodes: Type.Integer({ description: 'Number of unused recovery codes.' }),
  trustedBrowsers: Type.Array(Type.Object({
    id: Type.String({ description: 'Identifier, which cannot be used to sign in.' }),
    userAgent: orNull(Type.String()),
    createdAt: Time,
    lastUsedAt: Time,
    expiresAt: Time
  }), { description: 'Browsers in which the user is not asked for a factor.' }),
  upstream: orNull(Type.Object({
    issuer: Type.String(),
    createdAt: Type.Unsafe<Date>({ ...Time, description: 'When it was connected.' }),
    lastUsedAt: orNull(Type.Unsafe<Date>({ ...Time, description: 'Last sign-in with it.' }))
  }, { description: 'Account at the upstream OpenID Provider.' }))
}, { title: 'Factors' })

/** `/users/:id/sessions`, `/users/:id/apps`, and what is stored about a user. */
export const userAccess: readonly Endpoint[] = [
  endpoint('listSessions', 'GET /users/:id/sessions', {
    says: 'List where a user is signed in', right: 'read', answer: Type.Object({ items: Type.Array(Session), more })
  }, async (stores, { params }) => {
    const { sessions: items, more } = await listSessions(stores, params)
    return { items, more }
  }),

  endpoint('endUserSession', 'DELETE /users/:id/sessions/:session', { says: 'Sign a user out on one device', right: 'support' },
    async (stores, { params: { id, session }, by }) => { await endSession(stores, { user: { id }, session }, by) }),

  endpoint('listApps', 'GET /users/:id/apps', {
    says: 'List the apps with access to a user\'s account', right: 'read', answer: Type.Object({ items: Type.Array(App), more })
  }, async (stores, { params, config }) => {
    const { authorizedApps: items, more } = await listApps(stores, params, config)
    return { items, more }
  }),

  endpoint('revokeAccess', 'DELETE /users/:id/apps/:client', {
    says: 'Revoke the access of one app to a user\'s account, and forget the consent', right: 'support'
  }, async (stores, { params: { id, client: clientId }, by }) => { await revokeAccess(stores, { user: { id }, clientId }, by) }),

  endpoint('listFailedSignIns', 'GET /users/:id/failed-sign-ins', {
    says: 'List the addresses from which sign-in to an account has failed in the last 15 minutes',
    right: 'read',
    answer: Type.Object({ items: Type.Array(Source) })
  }, async (stores, { params }) => ({ items: (await listFailedSignIns(stores, params)).sources })),

  endpoint('unlockUser', 'POST /users/:id/unlock', {
    says: 'Reset the failed sign-ins of a user, so that they can try again immediately', right: 'support'
  }, async (stores, { params, by }) => { await unlockUser(stores, params, by) }),

  endpoint('listFactors', 'GET /users/:id/factors', {
    says: 'Show what a user signs in with besides the password, and the trusted browsers', right: 'read', answer: Factors
  }, async (stores, { params }) => await listFactors(stores, params)),

  endpoint('createFactorLink', 'POST /users/:id/factor-link', {
    says: 'Create a link with which a user without a second factor can set one up, once, with their password',
    right: 'manage',
    isSensitive: true,
    answer: Type.Object({
      link: Type.String({ description: 'The link, to hand over to the user. It is not shown again.' }),
      linkEndsAt: Time
    })
  }, async (stores, { params, config, by }) => {
    const { link, linkEndsAt } = await makeFactorLink(stores, params, config, by)
    return { link, linkEndsAt }
  }),

  endpoint('removeFactors', 'POST /users/:id/remove-factors', {
    says: 'Turn off two-step sign-in for a user, with recovery codes and trusted browsers, and email them',
    right: 'manage',
    isSensitive: true,
    answer: Type.Object({
      removed: Type.Array(Type.String(), { description: 'The removed factors: `totp` is the authenticator app.' }),
      mailFailure: Type.Optional(Type.String({ description: 'Why the user was not emailed.' }))
    })
  }, async (stores, { params, config, by }) => {
    const { removed, mailFailure } = await removeFactors(stores, params, config, by)
    return { removed, mailFailure }
  }),

  endpoint('disconnectUser', 'POST /users/:id/disconnect', {
    says: 'Disconnect the account of a user at the upstream OpenID Provider, sign them out everywhere, and email them',
    right: 'manage',
    answer: Type.Object({
      issuer: orNull(Type.String({ description: 'The provider whose account was disconnected. `null`: there was none.' })),
      mailFailure: Type.Optional(Type.String({ description: 'Why the user was not emailed.' }))
    })
  }, async (stores, { params, config, by }) => {
    const { issuer, mailFailure } = await disconnectUser(stores, params, config, by)
    return { issuer, mailFailure }
  }),

  endpoint('exportUser', 'GET /users/:id/data', {
    says: 'Export everything stored about a user, up to 1,000 items of each kind',
    right: 'read',
    isSensitive: true,
    answer: Type.Object({
      user: Type.Unknown(),
      sessions: Items('Sessions of browsers.'),
      consoleSessions: Items('Sessions of the administration console.'),
      authenticators: Items('Authenticator app, without its secret.'),
      passkeys: Items('Passkeys, without their keys.'),
      upstreamIdentities: Items('The account at the upstream OpenID Provider.'),
      recoveryCodes: Items('Unused recovery codes, without the codes.'),
      trustedBrowsers: Items('Browsers in which the user is not asked for a factor.'),
      signUpCodes: Items('Invitation codes that the user created, without the codes.'),
      consents: Items('Remembered consent.'),
      appUses: Items('When the user last gave self-registered apps access.'),
      grants: Items('Access that the user granted.'),
      refreshTokens: Items('Refresh tokens, without the tokens.'),
      clientSessions: Items('Sessions at apps that get logout tokens.'),
      failedSignIns: Type.Array(Source),
      events: Items('Events of the user in the audit trail, newest first.'),
      isComplete: Type.Boolean({ description: 'Whether every list is complete.' })
    })
  }, async (stores, { params, by }) => await exportUser(stores, params, by))
]
