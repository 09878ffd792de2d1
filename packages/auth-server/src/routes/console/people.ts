import { inviteUser } from '../../admin/passwords.js'
import { findRoles } from '../../admin/roles.js'
import { listUsers, stateOf } from '../../admin/user-details.js'
import { message } from '../../languages/translator.js'
import { textAttributes, userFields } from '../../oauth/user-fields.js'
import { single } from '../../oauth/parameters.js'
import { sendsMail } from '../../settings/mail.js'
import { cursorOf } from '../../stores/access/time-order.js'
import { action, checkedOf, page, textOf } from './define.js'
import { linkView } from './password-link.js'
import { orderOf, sortHeads } from './sorting.js'
import { aboutRole, queryWith, shownOf } from './words.js'

/** People on a page of the list. */
export const PAGE_SIZE = 50

/** Users who match a search, by user name; without one, also by when they were added. */
export const people = page('/people', { section: 'people' }, async ({ stores, config, query, form }) => {
  const [search, after, clientId] = [(single(query, 'search') ?? '').trim(), single(query, 'after'), single(query, 'client')]
  const isWhole = search === '' && clientId === undefined
  const order = isWhole ? orderOf(single(query, 'sort')) : undefined
  const { users, hasMore } = await listUsers(stores, { search, order, after, clientId, limit: PAGE_SIZE })
  const all = hasMore && isWhole && after === undefined ? await stores.overview.users() : undefined
  const filter = { search, client: clientId, sort: order }
  const last = users.at(-1)
  return {
    view: 'people',
    title: message('console.navigation.people'),
    data: {
      search,
      clientId,
      hasCodes: config.signUp === 'code',
      isFirst: after === undefined,
      total: hasMore ? shownOf(users.length, all) : undefined,
      first: queryWith(filter),
      next: hasMore && last !== undefined
        ? queryWith({ ...filter, after: order === undefined ? last.username : cursorOf(last) })
        : undefined,
      heads: isWhole ? sortHeads(order, {}, 'console.name') : undefined,
      chosen: checkedOf({ form }, 'users'),
      users: users.map(user => ({ ...user, state: stateOf(user) }))
    }
  }
})

/** The form that adds a user. */
export const invite = page('/people/invite', { section: 'people', right: 'support' }, async ({ stores, config, rights }) => ({
  view: 'invite',
  title: message('console.people.invite'),
  data: {
    sendsMail: sendsMail(config.mail),
    fields: textAttributes.map(name => ({ name, ...userFields[name] })),
    roles: rights.has('manage') ? (await findRoles(stores)).map(role => ({ ...role, about: aboutRole(role), isGiven: false })) : []
  }
}))

export const inviteUserAction = action('invite', '/people/invite', {
  page: invite, right: 'support', isSensitive: 'manage'
}, async visit => {
  const { stores, config, by } = visit
  const given = Object.fromEntries(textAttributes.map(name => [name, textOf(visit, name)]).filter(([, text]) => text !== ''))
  const roles = checkedOf(visit, 'roles')
  const user = { username: textOf(visit, 'username'), roles, ...given }
  const { id, username, passwordLink, mailFailure } = await inviteUser(stores, user, { config }, by)
  return linkView({ id, username, ...passwordLink, mailFailure }, message('console.link.invited', { username }))
})
