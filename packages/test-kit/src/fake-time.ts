import { spawnSync } from 'node:child_process'

/**
 * Environment that, with `FAKETIME` such as `+100d`, gives a process a wrong clock, but not a wrong monotonic clock. `undefined` if
 * `faketime` is not installed.
 */
export const fakeTime = findLibrary()

/** Why tests with a wrong clock cannot run. */
export const skipWithoutFakeTime = fakeTime === undefined && 'faketime is not installed'

/** Tests use only the library of `faketime`: the program leaves a semaphore when it is killed. */
function findLibrary () {
  for (;;) {
    const { error, stdout, stderr } = spawnSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
    if (error !== undefined) return undefined
    if (!stderr.includes('File exists')) return { LD_PRELOAD: stdout.trim(), DONT_FAKE_MONOTONIC: '1' }
  }
}
