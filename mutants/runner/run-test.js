// Not `tap`, which takes over its process. The first import is there for the second, which needs it loaded before.
import '@tapjs/core'
import { Test } from '@tapjs/test'

/**
 * Runs a collected test up to its first failure.
 * @returns {Promise<string | undefined>} what failed; nothing if it passed
 */
export async function runTest (name, work) {
  const root = new Test({ name: 'mutant', bail: true })
  const failures = []
  root.parser.on('child', child => child.on('fail', ({ fullname, name }) => failures.push(`${fullname}: ${name}`)))
  // What a mutant breaks beside the test, where nothing catches it, fails the test and not this process.
  const stray = error => { failures.push(`beside the test: ${error}`) }
  process.on('uncaughtException', stray).on('unhandledRejection', stray)
  try {
    root.resume()
    await root.test(name, work)
    root.end()
  } finally {
    process.off('uncaughtException', stray).off('unhandledRejection', stray)
  }
  return root.passing() ? failures[0] : failures[0] ?? 'it failed'
}
