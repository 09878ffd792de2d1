import { fileURLToPath } from 'node:url'
import { folders, texts } from './folders.js'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [
    ...Object.keys(folders).map(folder => `packages/${folder.replace('/', '/src/')}/**/*.ts`),
    ...texts.map(file => `!packages/${file.replace('/', '/src/')}`)
  ],
  plugins: [here('runner/plugin.js')],
  testRunner: 'nearest-tests',
  coverageAnalysis: 'perTest',
  // The compiler only strips types here: mutants do not type-check.
  disableTypeChecks: 'packages/*/{src,test}/**/*.ts',
  buildCommand: 'tsc --build --noCheck packages/auth-server packages/customer-service',
  ignorePatterns: [
    'data', 'deploy', 'docs', 'examples', 'test', 'tools', '.ci', '.tap'
  ].map(folder => `/${folder}`),
  tempDirName: 'tools/mutants/dist/sandbox',
  cleanTempDir: 'always',
  incremental: true,
  incrementalFile: 'tools/mutants/dist/incremental.json',
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'tools/mutants/dist/report.html' },
  jsonReporter: { fileName: 'tools/mutants/dist/report.json' },
  // A process keeps every copy of a module that it made.
  maxTestRunnerReuse: 150,
  concurrency: 2,
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 15,
  thresholds: { high: 95, low: 90, break: 90 }
}
