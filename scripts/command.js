// Runs programs for the other scripts. A failure is a sentence that says what to do, not a stack trace.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the clone. */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** An error that the reader can fix: print `message` without the stack. */
export class Stop extends Error {}

/** Runs a program in the root folder, with its output on ours. @throws Stop with `sentence` if it fails */
export async function run (sentence, command, args, options) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
  const [code] = await once(child, 'close').catch(error => { throw new Stop(`${sentence} (${error.message})`) })
  if (code !== 0) throw new Stop(sentence)
}

/** Runs a Node.js program. @throws Stop with `sentence` if it fails */
export async function node (sentence, ...args) {
  await run(sentence, process.execPath, args)
}

/** Path of an installed package's command. */
export function bin (name, command) {
  const file = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`)
  return join(dirname(file), JSON.parse(readFileSync(file, 'utf8')).bin[command])
}

/** Text of a file below the root folder. */
export function read (path) {
  return readFileSync(join(root, path), 'utf8')
}
