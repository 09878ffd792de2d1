import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the clone. */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** A reason to end that the reader can do something about: `message` is a sentence to print without a stack. */
export class Stop extends Error {}

/**
 * Runs a program in the root folder and waits for it. Its output is ours.
 * @throws Stop with `sentence` if it fails
 */
export async function run (sentence, command, args, options) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
  const [code] = await once(child, 'close').catch(error => { throw new Stop(`${sentence} (${error.message})`) })
  if (code !== 0) throw new Stop(sentence)
}

/** Runs a Node.js program, see `run`. */
export async function node (sentence, ...args) {
  await run(sentence, process.execPath, args)
}

/** Path of a command that an installed package brings. */
export function bin (name, command) {
  const file = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`)
  return join(dirname(file), JSON.parse(readFileSync(file, 'utf8')).bin[command])
}

/** Text of a file below the root folder. */
export function read (path) {
  return readFileSync(join(root, path), 'utf8')
}
