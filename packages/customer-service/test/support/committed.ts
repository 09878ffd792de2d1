import { readFile, writeFile } from 'node:fs/promises'
import type { Test } from 'tap'

/**
 * Compares a committed file with what a test has seen; `npm run contracts` rewrites it if the test has passed until here.
 * @param file its path from the top folder
 */
export async function upToDate (t: Test, file: string, text: string): Promise<void> {
  const url = new URL(`../../../../../${file}`, import.meta.url)
  if (process.env.CONTRACTS === 'write' && t.passing()) await writeFile(url, text)
  t.equal(
    await readFile(url, 'utf8').catch(() => undefined),
    text,
    `${file} is what the service answers; if the change is meant, run npm run contracts`
  )
}
