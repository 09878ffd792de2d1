import { node, read, Stop } from './command.js'
import { compile } from './compile.js'
import { install } from './install.js'

/**
 * Brings a fresh clone to the point where it can run, and does only what is missing: packages, native code, Prisma
 * clients, compiled code.
 * @param {{ tests?: boolean }} options whether tests will run, too, which need more packages
 * @throws Stop if Node.js is too old or a step fails
 */
export async function prepare ({ tests = false } = {}) {
  await prepareClients({ tests, meanwhile: () => compile({ tests }) })
}

/** The same, with `meanwhile` instead of compiling: it runs on one core, while native code is compiled on another. */
export async function prepareClients ({ tests, meanwhile = async () => {} }) {
  requireNode(JSON.parse(read('package.json')).engines.node)
  const compileNative = await install({ tests })
  const results = await Promise.allSettled([
    compileNative(),
    node('The Prisma clients could not be generated.', 'prisma/generate.js').then(meanwhile)
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
