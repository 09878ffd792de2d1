// Prepares a clone, however fresh, for `npm start` and `npm test`: does what is missing.
import { node, read, Stop } from './command.js'
import { compile } from './compile.js'
import { install } from './install.js'

/**
 * Installs packages, compiles native code, generates the Prisma clients and compiles the source, each only if needed.
 * @param {{ tests?: boolean }} options whether tests will run, which need more packages
 * @throws Stop if Node.js is too old or a step fails
 */
export async function prepare ({ tests = false } = {}) {
  requireNode(JSON.parse(read('package.json')).engines.node)
  const compileNative = await install({ tests })
  // In parallel: each of them uses one core.
  const results = await Promise.allSettled([
    compileNative(),
    node('The Prisma clients could not be generated.', 'prisma/generate.js').then(() => compile({ tests }))
  ])
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** @param {string} range such as `>=20.19` */
function requireNode (range) {
  const [major, minor] = range.match(/\d+/g).map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  throw new Stop(
    `Frontdesk needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org.`
  )
}
