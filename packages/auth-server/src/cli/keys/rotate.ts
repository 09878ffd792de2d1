import { InvalidArgumentError, Option, type Command } from 'commander'
import type { KeyRing } from '../../keys/key-ring.js'
import { ANNOUNCEMENT } from '../../keys/life-cycle.js'
import { fieldsOf, minuteOf } from '../describe-key.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { Refusal } from '../refusal.js'
import { withStores } from '../with-stores.js'

/** `keys rotate`: makes a signing key, which signs later or now. */
export function rotateKeys (keys: Command): void {
  keys.command('rotate')
    .description('Make a new signing key. It is published at once and signs in an hour; the one before is retired when its last token has ended.')
    .addOption(new Option('--signs-in <seconds>', 'sign sooner or later than in an hour').argParser(seconds))
    .addOption(new Option('--now', 'sign at once: a resource server may refuse new tokens until it fetches the keys anew').conflicts('signsIn'))
    .addOption(jsonOption('the new key'))
    .action(async ({ signsIn, now, ...options }: PrintOptions & { signsIn?: number, now?: true }) => await withStores(async ({ signingKeys }) => {
      const ring = await openRing(signingKeys)
      const kid = await ring.rotate(now ? 0 : signsIn === undefined ? ANNOUNCEMENT : signsIn * 1_000)
      const made = ring.describe().find(key => key.kid === kid)!
      print(options, fieldsOf(made), `Made the key ${kid} (${made.alg}). It signs from ${minuteOf(made.signsFrom)} on.`)
    }))
}

async function openRing (signingKeys: Parameters<typeof import('../../keys/key-ring.js').openKeyRing>[0]): Promise<KeyRing> {
  const [{ loadConfig }, { openKeyRing }] = await Promise.all([import('../../config.js'), import('../../keys/key-ring.js')])
  try {
    return await openKeyRing(signingKeys, loadConfig())
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function seconds (text: string): number {
  if (!/^[0-9]{1,7}$/.test(text)) throw new InvalidArgumentError('Give a whole number of seconds.')
  return Number(text)
}
