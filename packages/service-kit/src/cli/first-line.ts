import { CommandError } from './errors.js'

/** Reads the first line of standard input. @param longest bytes after which it stops @throws CommandError unless they are UTF-8 */
export async function readFirstLine (longest: number): Promise<string> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of process.stdin) {
    bytes = Buffer.concat([bytes, chunk])
    if (bytes.includes('\n') || bytes.length > longest) break
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(/\r?\n/, 1)[0] ?? ''
  } catch (cause) {
    throw new CommandError('Standard input is not in UTF-8.', { cause })
  }
}
