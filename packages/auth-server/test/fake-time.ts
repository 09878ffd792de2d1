import { execFileSync } from 'node:child_process'

/** Whether processes can be started with a wrong clock: with the program `faketime`. */
export function hasFakeTime (): boolean {
  try {
    execFileSync('faketime', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What a process is started with, so that its clock is wrong and its monotonic clock is not. @param offset such as `+100d` */
export function withFakeTime (
  offset: string,
  program: string,
  ...args: string[]
): [program: string, args: string[], env: Record<string, string>] {
  return ['faketime', ['-f', offset, program, ...args], { DONT_FAKE_MONOTONIC: '1' }]
}
