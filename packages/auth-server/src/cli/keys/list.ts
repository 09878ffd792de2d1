import { list } from '@frontdesk/service-kit/terminal/table'
import type { Command } from 'commander'
import { describeKeys } from '../../keys/life-cycle.js'
import { fieldsOf } from './describe.js'
import { keySets } from './key-sets.js'
import { jsonOption, minuteOf, print, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'

/** `keys list`: every signing key, oldest first; those of access tokens before those of ID tokens. */
export function listKeys (keys: Command): void {
  keys.command('list')
    .description('List the signing keys: announced, signing, published or retired.')
    .addOption(jsonOption('the keys with all fields'))
    .action(async (options: PrintOptions) => await readStores(async ({ signingKeys, idTokenKeys }) => {
      const all = (await Promise.all((await keySets({ signingKeys, idTokenKeys })).map(async ({ signs, keys }) =>
        describeKeys(await keys.list(), await signingKeys.now()).map(key => ({ ...fieldsOf(key), signs }))))).flat()
      const rows = all.map(({ kid, alg, signs, state, signsFrom, signsUntil, retiresAt }) =>
        [kid, alg, signs, state, minuteOf(signsFrom), minuteOf(signsUntil), minuteOf(retiresAt)])
      const head = ['KEY ID', 'ALG', 'SIGNS', 'STATE', 'SIGNS FROM', 'SIGNS UNTIL', 'RETIRES']
      print(
        options,
        all,
        all.length === 0 ? 'There is no signing key yet: the server makes one when it starts.' : list(head, rows)
      )
    }))
}
