import type { Command } from 'commander'
import { describeKeys } from '../../keys/life-cycle.js'
import { confirm } from '../confirm.js'
import { fieldsOf, unknownKeyError } from './describe.js'
import { keySets } from './key-sets.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError } from '../command-error.js'
import { withStores } from '../with-stores.js'

/** `keys retire`: retires a key early, such as a stolen one. */
export function retireKey (keys: Command): void {
  keys.command('retire <kid>')
    .description('Permanently retire a signing key. Tokens it signed are refused, by customer-service within 5 minutes.')
    .option('--yes', 'skip the confirmation; required without a terminal')
    .addOption(jsonOption('the key'))
    .action(async (kid: string, options: PrintOptions & { yes?: true }) => await withStores(async stores => {
      const sets = await Promise.all((await keySets(stores)).map(async ({ signs, keys }) => ({ signs, keys, all: await keys.list() })))
      const found = sets.find(({ all }) => all.some(key => key.kid === kid))
      if (found === undefined) throw unknownKeyError(kid, sets.flatMap(({ all }) => all.map(key => key.kid)))
      const { signs, keys, all } = found
      const now = await keys.now()
      if (!all.some(key => key.kid !== kid && key.retiredAt === null && key.signsFrom <= now)) {
        const rotate = signs === 'ID tokens' ? 'rotate --id-tokens' : 'rotate'
        throw new CommandError(`No other key signs yet. Make one and wait until it signs: frontdesk-auth keys ${rotate} --signs-in 45`)
      }
      if (!options.yes) await confirm(`Permanently retire the key ${kid}? Tokens it signed are refused from then on.`)
      const retired = await keys.retire(kid, now)
      const after = describeKeys(await keys.list(), now).find(key => key.kid === kid)!
      if (after.state !== 'retired') {
        throw new CommandError('Another key was retired at the same moment, and no third key signs yet. Nothing was changed.')
      }
      if (retired) await record(stores, 'keys retire', { details: { kid } })
      print(
        options,
        fieldsOf(after),
        retired ? `Retired the key ${kid}. Every server follows within 10 seconds.` : `The key ${kid} was already retired.`
      )
    }))
}
