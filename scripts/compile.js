import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { bundle } from './bundle.js'
import { bin, node, read, root } from './command.js'
import { compiledFiles, compiledOf, sources, writtenAt } from './sources.js'

/** The projects that run, without their tests. */
const PROJECTS = ['packages/auth-server', 'packages/customer-service', 'packages/customer-client']

/**
 * Compiles everything that changed, checks types, and bundles the services and the client.
 * @param {{ tests: boolean }} options whether tests, too
 * @throws Stop if a type is wrong
 */
export async function compile ({ tests }) {
  await node('The code does not compile.', bin('typescript-7', 'tsc'), '--build', ...(tests ? [] : PROJECTS))
  removeOrphans()
  await bundle()
}

/** Removes what files that are gone or renamed were compiled to: tsc leaves it, and it would go on running. */
function removeOrphans () {
  const made = new Set(sources().map(compiledOf))
  for (const file of compiledFiles()) {
    if (made.has(file) || file.includes('/generated/')) continue
    for (const ending of ['.js', '.js.map', '.d.ts', '.d.ts.map']) rmSync(join(root, file.replace(/\.js$/, ending)), { force: true })
  }
}

/** Compiles what was edited since the last time, file by file without checking types, which takes a tenth of the time, and bundles. */
export async function compileEdited () {
  const edited = sources().filter(source => writtenAt(source) > writtenAt(compiledOf(source)))
  if (edited.length > 0) await transpile(edited)
  await bundle()
}

async function transpile (edited) {
  const { transform } = await import('esbuild')
  const { compilerOptions } = JSON.parse(read('tsconfig.base.json'))
  for (const source of edited) {
    const compiled = compiledOf(source)
    const { code, map } = await transform(read(source), { loader: 'ts', sourcemap: true, tsconfigRaw: { compilerOptions } })
    mkdirSync(join(root, dirname(compiled)), { recursive: true })
    writeFileSync(join(root, `${compiled}.map`), JSON.stringify({ ...JSON.parse(map), sources: [relative(dirname(compiled), source)] }))
    writeFileSync(join(root, compiled), `${code}//# sourceMappingURL=${basename(compiled)}.map\n`)
  }
}
