import { listLockedOut } from '../../admin/failed-sign-ins.js'
import { checkHealth } from '../../admin/health.js'
import { listKeys } from '../../admin/keys.js'
import { readMailState } from '../../admin/mail.js'
import { DAY_MS } from '../../lifetimes.js'
import type { MessageKey } from '../../languages/languages.js'
import { message, type Message } from '../../languages/translator.js'
import { pathOfApp } from './apps.js'
import { page, type Visit } from './define.js'
import { pathOfPerson } from './person.js'
import { boundedCount, wordsOfSigned } from './words.js'

/** Age at which a signing key that is not rotated automatically needs attention. */
const OLD_KEY_MS = 365 * DAY_MS

/** Something that needs attention, and where to look. */
interface Notice { readonly text: Message, readonly href?: string }

/** The first page: four figures with their trend, and what needs attention. */
export const start = page('/', { section: 'start' }, async visit => {
  const { stores, now } = visit
  const [signIns, users, newUsers, implicit, ...notices] = await Promise.all([
    stores.overview.signIns(now),
    stores.overview.users(),
    stores.overview.newUsers(now),
    stores.overview.implicitClients(now),
    ...[healthNotices, keyNotices, emailNotices, logoutNotices, selfRegisteredNotices, lockedOutNotices].map(read => read(visit))
  ])
  const ofDay = (name: 'done' | 'failed') => {
    const { now, before } = signIns
    const numbers = now.isPartial || before.isPartial ? undefined : [now[name], before[name]] as const
    return { value: atLeast(now[name], now.isPartial), trend: trendOf(numbers, 'console.start.the-day-before', atLeast(before[name], before.isPartial)) }
  }
  return {
    view: 'start',
    title: message('console.navigation.start'),
    data: {
      numbers: [
        { label: 'console.start.sign-ins', ...ofDay('done') },
        { label: 'console.start.failed-sign-ins', ...ofDay('failed') },
        {
          label: 'console.navigation.people',
          value: bounded(users),
          trend: message('console.start.people-added', { now: bounded(newUsers.now), before: bounded(newUsers.before) })
        },
        {
          label: 'console.start.implicit',
          value: bounded(implicit.now),
          trend: trendOf([implicit.now, implicit.before], 'console.start.last-week', bounded(implicit.before))
        }
      ],
      notices: notices.flat()
    }
  }
})

/** A count; `9,120+` if it can be higher. */
function atLeast (count: number, isPartial: boolean): Message {
  return message('console.count', { count, more: isPartial ? '+' : '' })
}

function bounded (count: number): Message {
  return message('console.count', boundedCount(count))
}

/** How a number changed: `up from 12 last week`. @param numbers this one and the one before; `undefined`: they cannot be compared */
function trendOf (numbers: readonly [number, number] | undefined, when: MessageKey, count: Message): Message {
  const [now, then] = numbers ?? [0, 0]
  const trend = now === then ? 'same' : now > then ? 'up' : 'down'
  return message('console.start.trend', { trend, before: message(when, { count }) })
}

async function selfRegisteredNotices ({ stores }: Visit): Promise<Notice[]> {
  const unapproved = await stores.overview.selfRegistered()
  return unapproved === 0 ? [] : [{ text: message('console.start.self-registered', boundedCount(unapproved)), href: '/apps?by=itself' }]
}

async function logoutNotices ({ stores }: Visit): Promise<Notice[]> {
  return (await stores.overview.logoutFailures()).map(id => ({ text: message('console.start.logout-failed', { app: id }), href: pathOfApp(id) }))
}

async function lockedOutNotices ({ stores }: Visit): Promise<Notice[]> {
  return (await listLockedOut(stores)).map(({ id, username }) =>
    ({ text: message('console.start.locked-out', { username }), href: pathOfPerson(id) }))
}

async function keyNotices ({ stores, config, now }: Visit): Promise<Notice[]> {
  return (await listKeys(stores)).filter(({ state }) => state === 'signing').flatMap(({ signs, signsUntil, createdAt }) => {
    const about = (key: MessageKey, time: Date) => message(key, { signs: message(wordsOfSigned(signs)), time })
    if (signsUntil !== null) return [{ text: about('console.start.key-changes', signsUntil), href: '/keys' }]
    const isOld = config.keyRotation === undefined && now.getTime() - createdAt.getTime() > OLD_KEY_MS
    return isOld ? [{ text: about('console.start.key-old', createdAt) }] : []
  })
}

async function healthNotices ({ stores, config }: Visit): Promise<Notice[]> {
  const { findings } = await checkHealth(stores, config)
  return findings.filter(({ state }) => state === 'warning' || state === 'wrong')
    .map(({ sentence }) => ({ text: sentence, href: '/health' }))
}

async function emailNotices ({ stores, config }: Visit): Promise<Notice[]> {
  const { lastDay: { failed } } = await readMailState(stores, config)
  return failed === 0 ? [] : [{ text: message('console.start.emails-failed', boundedCount(failed)), href: '/health' }]
}
