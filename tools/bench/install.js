import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Installs the packages of the peers to measure, if they are missing.
 * @param {{ targets?: string[], folders?: string[] }} options
 */
export function installPeers ({ targets, folders }) {
  const wanted = folders?.includes('peers') ?? true
  const named = targets?.some(it => existsSync(new URL(`targets/peers/${it}.js`, import.meta.url))) ?? true
  if (!wanted || !named || existsSync(new URL('node_modules', import.meta.url))) return
  console.error('Installing the peers (npm ci in tools/bench/)…')
  execFileSync('npm', ['ci'], { cwd: fileURLToPath(new URL('.', import.meta.url)), stdio: ['ignore', 'ignore', 'inherit'] })
}
