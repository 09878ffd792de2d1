import { randomBytes } from 'node:crypto'
import { link, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** Writes the next bytes of a file. */
export type Write = (bytes: Buffer) => Promise<void>

/**
 * Writes a file that only its owner can read. It gets its name once it is complete.
 * @param isReplaced whether to replace an existing file
 * @throws CommandError if the file exists or cannot be written; if it was created meanwhile, the message names the new one
 */
export async function writeAtomically<T> (
  file: string, isReplaced: boolean, work: (write: Write) => Promise<T>, makeLink = link
): Promise<T> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() === false) throw new CommandError(`${file} is not a file. Name one, or leave it out to write to standard output.`)
  if (found !== null && !isReplaced) throw new CommandError(`${file} already exists. Name another file, or add --force.`)
  // Keeps a symbolic link.
  const target = found === null ? file : await realpath(file)
  const unfinished = `${target}.${randomBytes(4).toString('hex')}.unfinished`
  const fail = (error: Error) => { throw new CommandError(`${file} cannot be written: ${error.message}.`, { cause: error }) }
  let isKept = false
  const handle = await open(unfinished, 'wx', 0o600).catch(fail)
  try {
    const result = await work(async bytes => await handle.writeFile(bytes).catch(fail))
    await handle.sync().catch(fail)
    await handle.close()
    if (isReplaced) await rename(unfinished, target).catch(fail)
    else isKept = !await renameNew(unfinished, target, makeLink).catch(fail)
    if (isKept) throw new CommandError(`${file} exists now, and was not replaced. The complete file is ${unfinished}.`)
    return result
  } finally {
    await handle.close()
    if (!isKept) await rm(unfinished, { force: true })
  }
}

/** Renames a file without replacing another one. @returns `false` if there is one */
async function renameNew (from: string, to: string, makeLink: typeof link): Promise<boolean> {
  try {
    await makeLink(from, to).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      // The file system has no hard links: reserves the name, then replaces the empty file.
      await (await open(to, 'wx')).close()
      await rename(from, to)
    })
    return true
  } catch (error) {
    // as: errors of Node.js have a code.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
