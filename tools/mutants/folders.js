import { existsSync, readdirSync } from 'node:fs'

/**
 * Folders of sources to mutate, and the tests that must find the mutants: the folder of the same name, since test/ mirrors src/, and
 * those named here.
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

/** Tests that are too slow for mutants: races in many rounds, and hundreds of passwords. */
const slow = [
  'grants/races', 'sign-in/crowd', 'sign-in/sign-in', 'sign-in/throttling'
].map(name => `packages/auth-server/dist/test/${name}.test.js`)

/** Not mutated: schemas, which test/contract/recorded records, and texts for developers, which the pages' tests show. */
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
