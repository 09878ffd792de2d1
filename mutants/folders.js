import { existsSync, readdirSync } from 'node:fs'

/**
 * What is mutated, a folder of sources each, and the tests that have to find it: the folder of the same name, as test/
 * mirrors src/, and those that are named here.
 */
export const folders = {
  'auth-server/client-auth': [],
  'auth-server/consent': [],
  'auth-server/grants': [],
  'auth-server/keys': [],
  'auth-server/oauth': [],
  'auth-server/sign-in': ['oauth/parsers.test.js'],
  'auth-server/tokens': [],
  'customer-service/customer': ['input'],
  'customer-service/input': [],
  'customer-service/keys': ['tokens/keys.test.js'],
  'customer-service/revocations': [],
  'customer-service/tokens': []
}

/** Schemas, whose texts are documentation; contracts/ holds what they mean. */
export const schemas = ['auth-server/oauth/token-response.ts']

/**
 * The nearest test files, as paths from the root folder.
 * @param {string[]} sources paths of mutated files
 */
export function testsOf (sources) {
  const has = folder => sources.some(source => source.includes(`/packages/${folder.replace('/', '/src/')}/`))
  return [...new Set(Object.keys(folders).filter(has).flatMap(folder => {
    const [service, name] = folder.split('/')
    return [name, ...folders[folder]].flatMap(path => testsIn(`packages/${service}/dist/test/${path}`))
  }))]
}

function testsIn (path) {
  if (!existsSync(path)) return []
  if (path.endsWith('.js')) return [path]
  return readdirSync(path, { recursive: true }).filter(file => /(?<!\.postgresql)\.test\.js$/.test(file)).sort().map(file => `${path}/${file}`)
}
