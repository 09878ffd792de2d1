import { checkHealth } from '../../admin/health.js'
import { listKeys } from '../../admin/keys.js'
import { readMailState } from '../../admin/mail.js'
import { DAY_MS } from '../../lifetimes.js'
import { showTime } from '../account/account-page.js'
import { page, type Visit } from './define.js'
import { countOf, numbered } from './words.js'

/** Age at which a signing key that is not rotated automatically needs attention. */
const OLD_KEY_MS = 365 * DAY_MS

/** Something that needs attention, and where to look. */
interface Notice { readonly text: string, readonly time?: ReturnType<typeof showTime>, readonly href?: string }

/** The first page: four figures, and what needs attention. */
export const start = page('/', { section: 'start' }, async visit => {
  const { stores, now } = visit
  const since = new Date(now.getTime() - DAY_MS)
  const [{ users, clients, selfRegistered, signIns, failedSignIns }, notices] = await Promise.all([
    stores.overview.read(since), Promise.all([healthNotices(visit), keyNotices(visit), emailNotices(visit)])
  ])
  const unapproved = `${numbered(selfRegistered, 'self-registered app')} not approved.`
  return {
    view: 'start',
    title: 'Start',
    data: {
      numbers: [
        { label: 'People', value: countOf(users) },
        { label: 'Apps', value: countOf(clients) },
        { label: 'Sign-ins in 24 hours', value: countOf(signIns) },
        { label: 'Failed sign-ins in 24 hours', value: countOf(failedSignIns) }
      ],
      notices: [
        ...selfRegistered === 0 ? [] : [{ text: unapproved, href: '/apps?by=itself' }],
        ...notices.flat()
      ]
    }
  }
})

async function keyNotices ({ stores, config, now }: Visit): Promise<Notice[]> {
  return (await listKeys(stores)).filter(({ state }) => state === 'signing').flatMap(({ signs, signsUntil, createdAt }) => {
    if (signsUntil !== null) return [{ text: `A new key starts signing ${signs} on`, time: showTime(signsUntil), href: '/keys' }]
    const isOld = config.keyRotation === undefined && now.getTime() - createdAt.getTime() > OLD_KEY_MS
    return isOld ? [{ text: `The key that signs ${signs} is not rotated automatically. It was created on`, time: showTime(createdAt) }] : []
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
