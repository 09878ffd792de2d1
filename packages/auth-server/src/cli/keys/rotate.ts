import { InvalidArgumentError, Option, type Command } from 'commander'
import type { KeyRing } from '../../keys/key-ring.js'
import { ANNOUNCEMENT, LEAST_ANNOUNCEMENT } from '../../keys/life-cycle.js'
import { fieldsOf, minuteOf } from './describe.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError } from '../command-error.js'
import { makeStores } from '../with-stores.js'

const LEAST_SECONDS = LEAST_ANNOUNCEMENT / 1_000

/** `keys rotate`: makes a signing key, which signs in an hour unless --signs-in is given. */
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
    .addOption(jsonOption('the new key'))
    .action(async ({ signsIn, ...options }: PrintOptions & { signsIn?: number }) => await makeStores(async stores => {
      const ring = await openRing(stores.signingKeys)
      const kid = await ring.rotate(signsIn === undefined ? ANNOUNCEMENT : signsIn * 1_000)
      const made = ring.describe().find(key => key.kid === kid)!
      await record(stores, 'keys rotate', { details: { kid } })
      print(options, fieldsOf(made), `Made the key ${kid} (${made.alg}). It signs from ${minuteOf(made.signsFrom)} on.`)
    }))
}

async function openRing (signingKeys: Parameters<typeof import('../../keys/key-ring.js').openKeyRing>[0]): Promise<KeyRing> {
  const [{ loadConfig }, { openKeyRing }] = await Promise.all([import('../../config.js'), import('../../keys/key-ring.js')])
  try {
    return await openKeyRing(signingKeys, loadConfig())
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
