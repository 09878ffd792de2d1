import type { Command } from 'commander'
import { describeKeys } from '../../keys/life-cycle.js'
import { fieldsOf, minuteOf } from './describe.js'
import { jsonOption, list, print, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'

/** `keys list`: every signing key, oldest first. */
export function listKeys (keys: Command): void {
  keys.command('list')
    .description('List the signing keys: announced, signing, published or retired.')
    .addOption(jsonOption('the keys with all fields'))
    .action(async (options: PrintOptions) => await readStores(async ({ signingKeys }) => {
      const all = describeKeys(await signingKeys.list(), await signingKeys.now())
      const rows = all.map(({ kid, alg, state, signsFrom, signsUntil, retiresAt }) =>
        [kid, alg, state, minuteOf(signsFrom), minuteOf(signsUntil), minuteOf(retiresAt)])
      const head = ['KEY ID', 'ALG', 'STATE', 'SIGNS FROM', 'SIGNS UNTIL', 'RETIRES']
      print(
        options,
        all.map(fieldsOf),
        all.length === 0 ? 'There is no signing key yet: the server makes one when it starts.' : list(head, rows)
      )
    }))
}
