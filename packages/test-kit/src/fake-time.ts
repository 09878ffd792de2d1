import { spawnSync } from 'node:child_process'

/**
 * What gives a process a wrong clock, and no wrong monotonic clock: the environment of the library that the program `faketime`
 * loads. `undefined` if it is not installed. With `FAKETIME`, such as `+100d`, all is complete.
 */
export const fakeTime = findLibrary()

/** Why tests with a wrong clock cannot run. */
export const skipWithoutFakeTime = fakeTime === undefined && 'faketime is not installed'

/** The program itself is of no use for tests: it names a semaphore by its process id, which stays when it is killed. */
function findLibrary () {
  for (;;) {
    const { error, stdout, stderr } = spawnSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
    if (error !== undefined) return undefined
    if (!stderr.includes('File exists')) return { LD_PRELOAD: stdout.trim(), DONT_FAKE_MONOTONIC: '1' }
  }
}
