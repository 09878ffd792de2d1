import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node, read, root, run, Stop } from './command.js'
import { compile } from './compile.js'

/** The Node.js ABI that native packages were installed for; `npm ci` removes it with the rest of node_modules. */
const abiStamp = 'node_modules/.abi'

/**
 * Brings a fresh clone to the point where it can run, and does only what is missing: packages, Prisma clients,
 * compiled code.
 * @throws Stop if Node.js is too old or a step fails
 */
export async function prepare () {
  await prepareClients()
  await compile()
}

/** The same without our own code: packages and Prisma clients. */
export async function prepareClients () {
  requireNode(JSON.parse(read('package.json')).engines.node)
  if (!isInstalled()) {
    console.log('Installing the packages (about a minute, once) …')
    await npm('ci', '--include=dev', '--loglevel=error')
  }
  writeFileSync(join(root, abiStamp), process.versions.modules)
  await node('The Prisma clients could not be generated.', 'prisma/generate.js')
}

async function npm (...args) {
  const sentence = `\`npm ${args.join(' ')}\` failed. Fix the error above and start again.`
  const cli = process.env.npm_execpath ?? ''
  // Prisma's engine is a download from outside the package registry, which `generate` does not need: prisma.config.js.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'prisma/prisma.config.js'), ...process.env }
  if (/npm-cli\.c?js$/.test(cli)) await run(sentence, process.execPath, [cli, ...args], { env })
  else await run(sentence, 'npm', args, { env, shell: process.platform === 'win32' })
}

/** @param {string} range such as `>=20.19` */
function requireNode (range) {
  const [major, minor] = range.match(/\d+/g).map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  throw new Stop(`Frontdesk needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org.`)
}

/** Whether node_modules holds what package-lock.json says, as npm's own record of the last install tells. */
function isInstalled () {
  const record = 'node_modules/.package-lock.json'
  if (!existsSync(join(root, record))) return false
  if (existsSync(join(root, abiStamp)) && read(abiStamp) !== process.versions.modules) return false
  const installed = JSON.parse(read(record)).packages
  return Object.entries(JSON.parse(read('package-lock.json')).packages).every(([path, { version, integrity, optional }]) => {
    const present = installed[path]
    // npm leaves out what is optional and for another platform; the first entry is the root itself.
    return path === '' || (present ? present.version === version && present.integrity === integrity : optional)
  })
}
