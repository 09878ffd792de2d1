// Not `tap`, which takes over its process. The second import needs the first.
import '@tapjs/core'
import { Test } from '@tapjs/test'

/**
 * Runs a collected test up to its first failure.
 * @returns {Promise<string | undefined>} what failed; `undefined` if it passed
 */
export async function runTest (name, work) {
  const root = new Test({ name: 'mutant' })
  root.resume()
  // An uncaught error of a mutant outside the test fails the test instead of ending this process.
  const stray = []
  const keep = error => { stray.push(`outside the test: ${error}`) }
  process.on('uncaughtException', keep).on('unhandledRejection', keep)
  try {
    const { ok, failures } = await root.test(name, t => work(untilOneFails(t)))
    root.end()
    return ok ? stray[0] : failures[0]?.name ?? 'it failed'
  } finally {
    process.off('uncaughtException', keep).off('unhandledRejection', keep)
  }
}

/** A test whose failing assertions throw. tap's own `bail` never ends in a shared process. */
function untilOneFails (t) {
  return new Proxy(t, {
    get (target, key) {
      const value = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      return (...args) => {
        const result = value.apply(target, args)
        if (result === false) throw new Error('an assertion failed')
        return result
      }
    }
  })
}
