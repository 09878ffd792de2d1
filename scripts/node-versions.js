// `npm run node-versions -- [22] [24] [26]` runs the tests that depend most on the Node.js version, on each of these versions
// from the npm registry. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root, Stop } from './command.js'

/** The newest in the npm registry; for 24 on x64, the newest without broken headers, see install.js. */
const VERSIONS = {
  x64: { 22: '22.23.3', 24: '24.18.1', 26: '26.10.0' },
  arm64: { 22: '22.23.3', 24: '24.22.0', 26: '26.12.0' }
}[process.arch] ?? {}

/** Tests of SQLite's native code and of HTTP, then both services with the examples as clients. */
const TESTS = ['packages/database', 'packages/service-kit', 'test/e2e/examples.test.ts']

/** Compiles native code fast, and downloads neither binaries nor headers. */
const NATIVE = { npm_config_build_from_source: 'true', CFLAGS: '-O0 -Wno-misleading-indentation', CXXFLAGS: '-O0' }

const temporary = mkdtempSync(join(tmpdir(), 'frontdesk-node-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Runs the tests on one version, in a copy of the clone. @returns {Promise<[passed: number, failed: number]>} */
async function testOn (major) {
  try {
    const node = await installNode(major)
    const copy = join(temporary, major, 'clone')
    await copyClone(copy)
    const env = { ...process.env, ...NATIVE, npm_config_nodedir: node, PATH: `${join(node, 'bin')}:${process.env.PATH}` }
    const { output, exitCode } = await outputOf('node', ['scripts/test.js', ...TESTS], { cwd: copy, env })
    console.log(`\nNode.js ${VERSIONS[major]}\n${output.trimEnd()}`)
    const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed.*$/.exec(output.trimEnd().split('\n').at(-1)) ?? []
    return [Number(passed), Number(failed) || (exitCode === 0 ? 0 : 1)]
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    console.log(`\nNode.js ${VERSIONS[major] ?? major}\n${error.message}`)
    return [0, 1]
  }
}

/** Installs a version of Node.js, outside the clone. @returns {Promise<string>} its folder: bin/node, include/node */
async function installNode (major) {
  if (!(major in VERSIONS)) throw new Stop(`No such version for ${process.arch}. Choose from ${Object.keys(VERSIONS).join(', ')}.`)
  const name = `node-${process.platform}-${process.arch}`
  const cwd = join(temporary, major)
  mkdirSync(cwd)
  const wanted = `${name}@${VERSIONS[major]}`
  const { output, exitCode } = await outputOf('npm', ['install', '--prefix=.', '--ignore-scripts', '--loglevel=error', wanted], { cwd })
  if (exitCode !== 0) throw new Stop(`npm cannot install ${wanted}.\n${output}`)
  return join(cwd, 'node_modules', name)
}

/** Copies the clone, with packages as hard links if possible, and without files that depend on the Node.js version. */
async function copyClone (copy) {
  const leftOut = ['.git', 'data', 'node_modules'].map(name => join(root, name))
  cpSync(root, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter: file => !leftOut.includes(file) })
  const link = ['-c', 'cp -al "$0" "$1" 2>/dev/null || cp -a "$0" "$1"', join(root, 'node_modules'), copy]
  const { output, exitCode } = await outputOf('sh', link)
  if (exitCode !== 0) throw new Stop(`The installed packages cannot be copied.\n${output}`)
  for (const path of ['.cache', '.frontdesk', 'better-sqlite3/build']) {
    rmSync(join(copy, 'node_modules', path), { recursive: true, force: true })
  }
}

async function outputOf (command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { output: stderr + stdout, exitCode }
}

const majors = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(VERSIONS)
const outcomes = await Promise.all([...new Set(majors)].map(testOn))
const [passed, failed] = [0, 1].map(index => outcomes.reduce((sum, outcome) => sum + outcome[index], 0))
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
