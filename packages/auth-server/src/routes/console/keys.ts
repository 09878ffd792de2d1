import { listKeys, retireKey, rotateKeys } from '../../admin/keys.js'
import { ANNOUNCEMENT_MS } from '../../keys/life-cycle.js'
import { message } from '../../languages/translator.js'
import { action, page, textOf } from './define.js'
import { wordsOfSigned } from './words.js'

/** The signing keys, newest first. */
export const keys = page('/keys', { section: 'keys' }, async visit => {
  const all = await listKeys(visit.stores)
  return {
    view: 'keys',
    title: message('console.navigation.keys'),
    data: {
      sentKid: textOf(visit, 'kid'),
      keys: all.toReversed().map(key => ({ ...key, what: wordsOfSigned(key.signs) })),
      hasIdTokens: all.some(({ signs }) => signs === 'ID tokens')
    }
  }
})

/** What administrators do with keys. */
export const keyActions = [
  action('rotate-keys', '/keys/rotate', {
    page: keys, right: 'manage', isSensitive: true, done: 'console.keys.published'
  }, async visit => {
    const { stores, config, by } = visit
    await rotateKeys(stores, { config, idTokens: textOf(visit, 'signs') === 'ID tokens', delay: ANNOUNCEMENT_MS }, by)
    return '/keys'
  }),

  action('retire-key', '/keys/retire', {
    page: keys, right: 'manage', isSensitive: true, done: 'console.keys.retired'
  }, async visit => {
    await retireKey(visit.stores, textOf(visit, 'kid'), visit.by)
    return '/keys'
  })
]
