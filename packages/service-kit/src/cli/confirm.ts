import { createInterface } from 'node:readline'
import { CommandError } from './errors.js'

/**
 * Prompts at the terminal and waits for yes, unless `--yes` was given.
 * @throws CommandError if the user types anything else, or there is no terminal
 */
export async function confirm (question: string, { yes = false }: { readonly yes?: boolean } = {}): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandError('There is no terminal to confirm at. Add --yes if you are sure.')
  process.stderr.write(`${question} [y/N] `)
  const lines = createInterface({ input: process.stdin })
  // Ends without a line on Ctrl-D.
  const { value: answer } = await lines[Symbol.asyncIterator]().next()
  lines.close()
  if (!/^\s*y(es)?\s*$/i.test(answer ?? '')) throw new CommandError('Nothing was changed.')
}
