/** Replaces tap in a test file: collects tests by name instead of running them. */
const tests = new Map()

/**
 * Imports a compiled test file.
 * @param {string} file absolute path
 * @param {string} [copy] makes new copies of the file and of the modules it reaches, which are then evaluated again
 * @returns {Promise<Map<string, (t: import('tap').Test) => unknown>>} its tests
 */
export async function collect (file, copy = '') {
  tests.clear()
  await import(new URL(`file://${file}${copy && `?copy=${copy}`}`).href)
  return new Map(tests)
}

export default {
  test (name, work) {
    tests.set(name, work)
  },
  /** What a file opens for all its tests stays open until the process ends. */
  teardown () {}
}
