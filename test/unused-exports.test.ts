import { posix } from 'node:path'
import t from 'tap'
import { filesBelow, read } from './support/sources.js'

/** Modules that other packages and programs are given by name: everything there is meant for them. */
const PUBLIC = ['packages/auth-server/src/testing/start.ts', 'packages/customer-client/src/customer-client.ts']

const EXPORT = /^export (?:default )?(?:async )?(?:abstract )?(?:const|class|interface|type|function\*?|function \*) ?(\w+)/gm
const IMPORT = /\b(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?(?:\{([^}]*)\}|\*(?: as \w+)?|\w+)\s+from\s+'([^']+)'|\bimport\('([^']+)'\)/g

await t.test('what a module exports, another one imports', async t => {
  const files = ['packages', 'test', 'tools', 'scripts', 'examples'].flatMap(folder => filesBelow(folder).map(file => `${folder}/${file}`))
    .filter(file => /\.(ts|js|mjs)$/.test(file) && !file.includes('/public/'))
  const imported = new Set(files.flatMap(importsOf))
  const exported = files.filter(file => /^packages\/[^/]+\/src\//.test(file) && !PUBLIC.includes(file))
    .flatMap(file => [...read(file).matchAll(EXPORT)].filter(([line]) => !line.startsWith('export default')).map(([, name]) => ({ file, name: name! })))
  t.ok(exported.length > 500, `${exported.length} exports`)
  const unused = exported.filter(({ file, name }) => !imported.has(`${file} ${name}`) && !imported.has(`${file} *`))
  t.same(unused.map(({ file, name }) => `${file} ${name}`), [])
})

/** What a file imports: a file and a name each; `*` if it takes the whole module. */
function importsOf (file: string): string[] {
  return [...read(file).matchAll(IMPORT)].flatMap(([text, names, from, loaded]) => {
    const module = resolve(file, from ?? loaded!)
    if (names === undefined) return text.includes('*') || loaded !== undefined ? [`${module} *`] : []
    return names.split(',').map(it => `${module} ${it.trim().replace(/^type /, '').replace(/ as .*/, '')}`)
  })
}

/** The source file that a specifier names, if it is one of this repository. */
function resolve (file: string, specifier: string): string {
  const [, name, path] = /^@frontdesk\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  if (name !== undefined) return `packages/${name}/src/${path}.ts`
  return posix.join(posix.dirname(file), specifier).replace(/\/dist\/(src|test)\//, '/$1/').replace(/\.js$/, '.ts')
}
