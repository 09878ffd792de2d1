import { command, noun } from '@frontdesk/service-kit/cli/command'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { wholeNumber, YES } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { loadConfig } from '../config.js'
import type { DescribedKey } from '../admin/keys.js'
import { ANNOUNCEMENT_MS, MIN_ANNOUNCEMENT_MS } from '../keys/life-cycle.js'
import { minuteOf } from './print.js'
import { path, type Items } from './remote/api.js'
import { makeStores, readStores, withStores } from './with-stores.js'

const [LEAST_SECONDS, MAX_SECONDS] = [MIN_ANNOUNCEMENT_MS / 1_000, 9_999_999]

// Loaded on demand: it signs and encrypts.
const load = async () => await import('../admin/keys.js')

const all = command('list', {
  says: 'List the signing keys: announced, signing, published or retired.',
  json: 'the keys with all fields',
  run: async () => await readStores(async stores => await (await load()).listKeys(stores)),
  remote: async api => (await api.get<Items<DescribedKey>>('/keys')).items,
  text: keys => keys.length === 0
    ? 'There is no signing key yet: the server makes one when it starts.'
    : list(['KEY ID', 'ALG', 'SIGNS', 'STATE', 'SIGNS FROM', 'SIGNS UNTIL', 'RETIRES'], keys.map(({ kid, alg, signs, state, ...times }) =>
      [kid, alg, signs, state, minuteOf(times.signsFrom), minuteOf(times.signsUntil), minuteOf(times.retiresAt)]))
})

const rotate = command('rotate', {
  says: 'Create a signing key. It is published immediately and starts signing in an hour; the previous key is retired when its last token has expired.',
  options: {
    '--signs-in <seconds>': {
      says: `when it begins to sign; at least ${LEAST_SECONDS}, so that every server knows the key by then`,
      parse: wholeNumber(MAX_SECONDS, LEAST_SECONDS)
    },
    '--id-tokens': 'of the keys that sign ID tokens, one for each algorithm'
  },
  run: async ({ signsIn, idTokens = false }) => await makeStores(async (stores, by) => {
    const delay = signsIn === undefined ? ANNOUNCEMENT_MS : signsIn * 1_000
    return await (await load()).rotateKeys(stores, { config: loadConfig(), idTokens, delay }, by)
  }),
  remote: async (api, { signsIn, idTokens }) => (await api.post<Items<DescribedKey>>('/keys/rotate', { signsIn, idTokens })).items,
  text: keys => keys.map(({ kid, alg, signsFrom }) => `Made the key ${kid} (${alg}). It signs from ${minuteOf(signsFrom)} on.`).join('\n'),
  fields: (keys, { idTokens }) => idTokens ? keys : keys[0]
})

const retire = command('retire <kid>', {
  says: 'Permanently retire a signing key. Tokens it signed are refused, by customer-service within 5 minutes.',
  options: YES,
  run: async ({ kid, ...sure }) => await withStores(async (stores, by) => {
    const { findRetirable, retireKey } = await load()
    await findRetirable(stores, kid)
    await confirm(questionOf(kid), sure)
    return await retireKey(stores, kid, by)
  }),
  async remote (api, { kid, ...sure }) {
    const wasRetired = (await api.get<Items<DescribedKey>>('/keys')).items.some(key => key.kid === kid && key.state === 'retired')
    await confirm(questionOf(kid), sure)
    return { key: await api.post<DescribedKey>(path`/keys/${kid}/retire`), wasRetired }
  },
  text: ({ key: { kid }, wasRetired }) => wasRetired
    ? `The key ${kid} was already retired.`
    : `Retired the key ${kid}. Every server follows within 10 seconds.`,
  fields: ({ key }) => key
})

function questionOf (kid: string): string {
  return `Permanently retire the key ${kid}? Tokens it signed are refused from then on.`
}

/** The keys that sign access tokens and ID tokens. */
export const keys = noun('keys', 'Manage the keys that sign access tokens and ID tokens.', [all, rotate, retire])
