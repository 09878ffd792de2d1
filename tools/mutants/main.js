import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, Stop } from '../../scripts/command.js'
import { prepare } from '../../scripts/prepare.js'

/** `npm run mutants` lets StrykerJS change the code in many places, one at a time, and reports the changes that no test detects. */
const folder = join(root, 'tools/mutants')

try {
  await prepare({ tests: true })
  if (!existsSync(join(folder, 'node_modules'))) {
    console.log('Installing StrykerJS (npm ci in tools/mutants/) …')
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder)
  }
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  run(process.execPath, [stryker, 'run', join(folder, 'stryker.config.js'), ...process.argv.slice(2)], root)
} catch (error) {
  if (!(error instanceof Stop)) throw error
  if (error.message !== '') console.error(error.message)
  process.exitCode = 1
}

/** Runs a program with our output. @throws Stop if it fails */
function run (command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Stop()
}
