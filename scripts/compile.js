// Compiles and bundles what changed, for `npm start` and `npm test`. Unlike tsc alone, leaves no output of deleted sources.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.js'
import { bin, node, root } from './command.js'
import { compiledFiles, compiledPath, sources } from './sources.js'

/** Projects to compile when no tests will run. */
const PROJECTS = ['packages/auth-server', 'packages/customer-service', 'packages/desk', 'packages/customer-client']

/** Compiles everything, or all but the tests. @throws Stop on a type error */
export async function compile ({ tests }) {
  await node('The code does not compile.', bin('typescript-7', 'tsc'), '--build', ...(tests ? [] : PROJECTS))
  // The page runs as it is written.
  if (tests) await node('The desk\'s page has type errors.', bin('typescript-7', 'tsc'), '-p', 'packages/desk/tsconfig.page.json')
  removeOrphans()
  await bundle()
}

/** Removes the output of deleted and renamed files: tsc leaves it, and it would still run. */
function removeOrphans () {
  const made = new Set(sources().map(compiledPath))
  for (const file of compiledFiles()) {
    if (made.has(file) || file.endsWith('.json') || file.includes('/generated/')) continue
    for (const ending of ['.js', '.js.map', '.d.ts', '.d.ts.map']) rmSync(join(root, file.replace(/\.js$/, ending)), { force: true })
  }
}
