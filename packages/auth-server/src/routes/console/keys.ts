import { listKeys, retireKey, rotateKeys } from '../../admin/keys.js'
import { ANNOUNCEMENT_MS } from '../../keys/life-cycle.js'
import { action, page, textOf } from './define.js'

/** What a key does, by its state. */
const STATES = {
  announced: 'Published, not signing yet', signing: 'Signing', published: 'Its tokens are still valid', retired: 'Retired'
} as const

/** The signing keys, newest first. */
export const keys = page('/keys', { section: 'keys' }, async visit => {
  const all = await listKeys(visit.stores)
  return {
    view: 'keys',
    title: 'Keys',
    data: {
      sentKid: textOf(visit, 'kid'),
      keys: all.toReversed().map(({ signsFrom, signsUntil, ...key }) => ({
        ...key, label: STATES[key.state], signsFrom, signsUntil
      })),
      hasIdTokens: all.some(({ signs }) => signs === 'ID tokens')
    }
  }
})

/** What administrators do with keys. */
export const keyActions = [
  action('rotate-keys', '/keys/rotate', {
    page: keys, right: 'manage', isSensitive: true, done: 'New key published. It starts signing in an hour, once every service knows it.'
  }, async visit => {
    const { stores, config, by } = visit
    await rotateKeys(stores, { config, idTokens: textOf(visit, 'signs') === 'ID tokens', delay: ANNOUNCEMENT_MS }, by)
    return '/keys'
  }),

  action('retire-key', '/keys/retire', {
    page: keys, right: 'manage', isSensitive: true, done: 'Key retired. Tokens that it signed no longer work.'
  }, async visit => {
    await retireKey(visit.stores, textOf(visit, 'kid'), visit.by)
    return '/keys'
  })
]
