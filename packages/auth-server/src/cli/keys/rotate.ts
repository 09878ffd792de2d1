import { InvalidArgumentError, Option, type Command } from 'commander'
import type { KeyRing } from '../../keys/key-ring.js'
import { ANNOUNCEMENT, LEAST_ANNOUNCEMENT, type KeyDescription } from '../../keys/life-cycle.js'
import { ID_TOKEN_ALGS } from '../../oauth/id-token-algs.js'
import type { Stores } from '../../stores/stores.js'
import { fieldsOf } from './describe.js'
import { jsonOption, minuteOf, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError } from '../command-error.js'
import { makeStores } from '../with-stores.js'

interface Options extends PrintOptions {
  readonly signsIn?: number
  readonly idTokens?: true
}

const LEAST_SECONDS = LEAST_ANNOUNCEMENT / 1_000

/** `keys rotate`: makes a signing key, or one for each algorithm of ID tokens, which signs in an hour unless --signs-in is given. */
export function rotateKeys (keys: Command): void {
  keys.command('rotate')
    .description(
      'Make a new signing key. It is published at once and signs in an hour; the previous key is retired when its last token has expired.'
    )
    .addOption(
      new Option(
        '--signs-in <seconds>',
        `when it begins to sign; at least ${LEAST_SECONDS}, so that every server knows the key by then`
      ).argParser(seconds)
    )
    .option('--id-tokens', 'of the keys that sign ID tokens, one for each algorithm')
    .addOption(jsonOption('the new keys'))
    .action(async ({ signsIn, idTokens, ...options }: Options) => await makeStores(async stores => {
      const rings = await openRings(stores, idTokens)
      if (rings.length === 0) throw new CommandError('No key signs ID tokens yet: the server makes one when it starts.')
      const delay = signsIn === undefined ? ANNOUNCEMENT : signsIn * 1_000
      const made: KeyDescription[] = []
      for (const ring of rings) {
        const kid = await ring.rotate(delay)
        await record(stores, 'keys rotate', { details: { kid } })
        made.push(ring.describe().find(key => key.kid === kid)!)
      }
      const sentences = made.map(({ kid, alg, signsFrom }) => `Made the key ${kid} (${alg}). It signs from ${minuteOf(signsFrom)} on.`)
      print(options, idTokens ? made.map(fieldsOf) : fieldsOf(made[0]!), sentences.join('\n'))
    }))
}

async function openRings ({ signingKeys, idTokenKeys }: Stores, idTokens = false): Promise<KeyRing[]> {
  const [{ loadConfig }, { openKeyRing }] = await Promise.all([import('../../config.js'), import('../../keys/key-ring.js')])
  try {
    const config = loadConfig()
    if (!idTokens) return [await openKeyRing(signingKeys, config)]
    const made = await idTokenKeys.made()
    return await Promise.all(ID_TOKEN_ALGS.filter(alg => made.includes(alg)).map(signingAlg =>
      openKeyRing(idTokenKeys.of(signingAlg), { ...config, signingAlg })))
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function seconds (text: string): number {
  if (!/^[0-9]{1,7}$/.test(text)) throw new InvalidArgumentError('Give a whole number of seconds.')
  if (Number(text) < LEAST_SECONDS) {
    throw new InvalidArgumentError(`Give ${LEAST_SECONDS} or more: servers that do not know the key yet would refuse its tokens.`)
  }
  return Number(text)
}
