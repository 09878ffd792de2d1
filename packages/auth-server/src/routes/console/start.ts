import { countOf, numbered } from '../../admin/counts.js'
import { listLockedOut } from '../../admin/failed-sign-ins.js'
import { checkHealth } from '../../admin/health.js'
import { listKeys } from '../../admin/keys.js'
import { readMailState } from '../../admin/mail.js'
import { DAY_MS } from '../../lifetimes.js'
import { pathOfApp } from './apps.js'
import { page, type Visit } from './define.js'
import { pathOfPerson } from './person.js'

/** Age at which a signing key that is not rotated automatically needs attention. */
const OLD_KEY_MS = 365 * DAY_MS

/** Something that needs attention, and where to look. */
interface Notice { readonly text: string, readonly time?: Date, readonly href?: string }

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
    return { value: atLeast(now[name], now.isPartial), trend: trendOf(numbers, `${atLeast(before[name], before.isPartial)} the day before`) }
  }
  return {
    view: 'start',
    title: 'Start',
    data: {
      numbers: [
        { label: 'Sign-ins in 24 hours', ...ofDay('done') },
        { label: 'Failed sign-ins in 24 hours', ...ofDay('failed') },
        {
          label: 'People',
          value: countOf(users),
          trend: `${countOf(newUsers.now)} added in 7 days, ${countOf(newUsers.before)} in the 7 days before`
        },
        {
          label: 'Apps that used the implicit grant this week',
          value: countOf(implicit.now),
          trend: trendOf([implicit.now, implicit.before], `${countOf(implicit.before)} last week`)
        }
      ],
      notices: notices.flat()
    }
  }
})

/** A count; `9,120+` if it can be higher. */
function atLeast (count: number, isPartial: boolean): string {
  return `${count.toLocaleString('en')}${isPartial ? '+' : ''}`
}

/** How a number changed: `up from 12 last week`. @param numbers this one and the one before; `undefined`: they cannot be compared */
function trendOf (numbers: readonly [number, number] | undefined, before: string): string {
  if (numbers === undefined) return before
  const [now, then] = numbers
  return now === then ? before : `${now > then ? 'up' : 'down'} from ${before}`
}

async function selfRegisteredNotices ({ stores }: Visit): Promise<Notice[]> {
  const unapproved = await stores.overview.selfRegistered()
  return unapproved === 0 ? [] : [{ text: `${numbered(unapproved, 'self-registered app')} not approved.`, href: '/apps?by=itself' }]
}

async function logoutNotices ({ stores }: Visit): Promise<Notice[]> {
  const text = (id: string) => `${id} does not accept logout tokens. auth-server retries for up to half an hour.`
  return (await stores.overview.logoutFailures()).map(id => ({ text: text(id), href: pathOfApp(id) }))
}

async function lockedOutNotices ({ stores }: Visit): Promise<Notice[]> {
  return (await listLockedOut(stores)).map(({ id, username }) =>
    ({ text: `${username} is locked out after failed sign-ins.`, href: pathOfPerson(id) }))
}

async function keyNotices ({ stores, config, now }: Visit): Promise<Notice[]> {
  return (await listKeys(stores)).filter(({ state }) => state === 'signing').flatMap(({ signs, signsUntil, createdAt }) => {
    if (signsUntil !== null) return [{ text: `A new key starts signing ${signs} on`, time: signsUntil, href: '/keys' }]
    const isOld = config.keyRotation === undefined && now.getTime() - createdAt.getTime() > OLD_KEY_MS
    return isOld ? [{ text: `The key that signs ${signs} is not rotated automatically. It was created on`, time: createdAt }] : []
  })
}

async function healthNotices ({ stores, config }: Visit): Promise<Notice[]> {
  const { findings } = await checkHealth(stores, config)
  return findings.filter(({ state }) => state === 'warning' || state === 'wrong')
    .map(({ sentence }) => ({ text: sentence, href: '/health' }))
}

async function emailNotices ({ stores, config }: Visit): Promise<Notice[]> {
  const { lastDay: { failed } } = await readMailState(stores, config)
  return failed === 0 ? [] : [{ text: `${numbered(failed, 'email')} could not be sent in the last 24 hours.`, href: '/health' }]
}
