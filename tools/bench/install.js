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

/**
 * Installs Debian's packages of targets, if they are missing.
 * @param {Map<string, import('./target.js').Target>} targets
 * @throws with a sentence for the user if it cannot
 */
export function installPackages (targets) {
  const missing = [...new Set([...targets.values()].flatMap(({ packages = [] }) => packages))].filter(it => !isInstalled(it))
  if (missing.length === 0) return
  const args = ['install', '--yes', '--no-install-recommends', ...missing]
  console.error(`Installing Debian's packages ${missing.join(', ')}…`)
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (cause) {
    throw new Error(`They cannot be installed: run \`apt-get ${args.join(' ')}\` as root, on Debian or a system derived from it.`, { cause })
  }
}

function isInstalled (name) {
  try {
    return execFileSync('dpkg-query', ['--status', name], { encoding: 'utf8', stdio: 'pipe' }).includes('\nStatus: install ok installed')
  } catch {
    return false
  }
}
