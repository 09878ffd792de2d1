import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { inClone } from '../services/place.js'

/** The only package with native code that is not in its tarball. */
const COMPILED = 'node_modules/better-sqlite3'

/** The short hash and subject of a commit. @throws if it does not exist */
export function describeCommit (commit) {
  try {
    return run('git', ['log', '-1', '--format=%h (%s)', `${commit}^{commit}`]).trim()
  } catch (cause) {
    throw new Error(`This clone has no commit ${commit}: set --compare to a hash, a branch or a tag.`, { cause })
  }
}

/**
 * Checks a commit out as a git worktree, which is removed when this process ends, and builds it.
 * @param {string} commit
 * @param {string} dir a folder that does not exist yet
 */
export function buildCommit (commit, dir) {
  run('git', ['worktree', 'add', '--quiet', '--detach', dir, commit])
  process.once('exit', () => run('git', ['worktree', 'remove', '--force', dir]))
  const text = path => readFileSync(path, 'utf8')
  if (text(inClone('package-lock.json')) === text(join(dir, 'package-lock.json'))) sharePackages(dir)
  else installPackages(dir)
  run('npm', ['run', '-s', 'generate'], dir)
  run('npm', ['run', '-s', 'build'], dir)
}

/** The packages installed here: the compiler would name the types of packages behind symbolic links by their real path. */
function sharePackages (dir) {
  const nested = readdirSync(inClone('packages')).map(name => `packages/${name}/node_modules`)
  for (const folder of ['node_modules', ...nested].filter(it => existsSync(inClone(it)))) copy(inClone(folder), join(dir, folder))
}

/** Copies a folder, with hard links if the file system is the same. */
function copy (from, to) {
  try {
    run('cp', ['--archive', '--link', from, to])
  } catch {
    rmSync(to, { recursive: true, force: true })
    run('cp', ['--archive', from, to])
  }
}

/** Installs the commit's packages. Reuses the SQLite compiled here if its version is the same: other flags would change the times. */
function installPackages (dir) {
  run('npm', ['ci', '--ignore-scripts', '--loglevel=error'], dir)
  const version = root => JSON.parse(readFileSync(join(root, COMPILED, 'package.json'), 'utf8')).version
  if (version(inClone('.')) !== version(dir)) return run('npm', ['rebuild', 'better-sqlite3', '--loglevel=error'], dir)
  rmSync(join(dir, COMPILED), { recursive: true })
  symlinkSync(inClone(COMPILED), join(dir, COMPILED))
}

/** Runs a program, by default in this clone, and returns its output. @throws with its output if it fails */
function run (file, args, cwd = inClone('.')) {
  try {
    return execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch ({ stdout, stderr, message }) {
    throw new Error(`${stdout}${stderr}`.trim() || message)
  }
}
