import { existsSync, readdirSync } from 'node:fs'

/**
 * What is mutated, a folder of sources each, and the tests that have to find it: the folder of the same name, as test/
 * mirrors src/, and those that are named here.
 */
export const folders = {
  'auth-server/client-auth': [],
  'auth-server/consent': ['routes/authorize/remembered.test.js'],
  'auth-server/grants': [],
  'auth-server/keys': [],
  'auth-server/oauth': [],
  'auth-server/sign-in': ['oauth/parsers.test.js'],
  'auth-server/tokens': [],
  'customer-service/customer': ['input'],
  'customer-service/input': [],
  'customer-service/keys': [],
  'customer-service/revocations': [],
  'customer-service/tokens': []
}

/** Tests that are too slow to try every mutant on: races in many rounds, and hundreds of passwords. */
const slow = [
  'grants/races', 'sign-in/crowd', 'sign-in/sign-in', 'sign-in/throttling'
].map(name => `packages/auth-server/dist/test/${name}.test.js`)

/** Not mutated: a schema, which test/contract/recorded holds, and texts for developers, which the tests of the pages show. */
export const texts = ['auth-server/oauth/token-response.ts', 'auth-server/oauth/problems.ts']

/**
 * The nearest test files, as paths from the root folder.
 * @param {string[]} sources paths of mutated files
 */
export function testsOf (sources) {
  const has = folder => sources.some(source => source.includes(`/packages/${folder.replace('/', '/src/')}/`))
  return [...new Set(Object.keys(folders).filter(has).flatMap(folder => {
    const [service, name] = folder.split('/')
    return [name, ...folders[folder]].flatMap(path => testsIn(`packages/${service}/dist/test/${path}`))
  }))].filter(file => !slow.includes(file))
}

function testsIn (path) {
  if (!existsSync(path)) return []
  if (path.endsWith('.js')) return [path]
  return readdirSync(path, { recursive: true }).map(file => `${path}/${file}`)
    // What is compiled outlives its source.
    .filter(file => file.endsWith('.test.js') && existsSync(file.replace('/dist/', '/').replace(/js$/, 'ts'))).sort()
}
