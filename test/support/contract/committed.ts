import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { root } from '../stack.js'

/** Whether this run rewrites the contracts, as `npm run contracts` does, instead of comparing with them. */
export const isWriting = process.env.CONTRACTS === 'write'

/** A contract as it is committed; `undefined` if there is none. */
export async function committed (file: string): Promise<string | undefined> {
  return await readFile(join(root, 'test/contract/recorded', file), 'utf8').catch(() => undefined)
}

/** Compares a committed contract with what the code makes now, or rewrites it. */
export async function upToDate (t: Test, file: string, now: object): Promise<void> {
  const text = `${JSON.stringify(now, null, 2)}\n`
  if (isWriting) {
    await mkdir(dirname(join(root, 'test/contract/recorded', file)), { recursive: true })
    await writeFile(join(root, 'test/contract/recorded', file), text)
  }
  t.equal(await committed(file), text, `test/contract/recorded/${file} is what the code makes; if the change is meant, run npm run contracts`)
}
