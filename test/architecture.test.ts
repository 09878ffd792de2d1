import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { filesBelow, modulesOf, read, type Module } from './support/sources.js'
import { root } from './support/stack.js'

/**
 * The layers of both services, from the process to what knows nothing. A module imports from its own layer or from one
 * further down; a folder stands with its `/`.
 */
const LAYERS = [
  'testing/',
  'cli/',
  'server.ts', 'serve.ts', 'server-options.ts', 'demo.ts', 'app.ts',
  'plugins/',
  'routes/',
  'admin/',
  'response-modes/',
  'response-types/',
  'registration/',
  'grants/',
  'client-auth/',
  'consent/',
  'customer/',
  'factors/',
  'sign-in/',
  'mail/',
  'tokens/',
  'revocations/',
  'keys/',
  'stores/',
  'generated/',
  'oauth/',
  'input/',
  'docs/',
  'problems/',
  'config.ts',
  'lifetimes.ts',
  'settings/',
  'telemetry/',
  'languages/'
]

/** The layers that speak HTTP. */
const HTTP = ['server.ts', 'serve.ts', 'server-options.ts', 'app.ts', 'plugins/', 'routes/', 'testing/']

/** Which packages a package may import: the services know each other by address only. */
const MAY_IMPORT: Record<string, string[]> = {
  schemas: [],
  'service-kit': ['schemas', 'design'],
  database: ['schemas', 'service-kit'],
  'test-kit': [],
  'customer-client': [],
  'auth-server': ['schemas', 'service-kit', 'database'],
  'customer-service': ['schemas', 'service-kit', 'database'],
  // The last three are files that the page loads.
  desk: ['schemas', 'service-kit', 'customer-client', 'design', 'browser-app']
}

/** What only its tests may import: the server that others test against, and the client. */
const TESTS_MAY_IMPORT: Record<string, string[]> = { 'customer-service': ['@frontdesk/auth-server', '@frontdesk/customer-client'] }

const GENERATED = 'generated/'
const FASTIFY = /^(fastify|fastify-plugin|@fastify\/.+)$/
const MAX_LINES = 200

for (const name of ['auth-server', 'customer-service']) {
  await t.test(name, async t => {
    const modules = modulesOf(name)

    await t.test('every module belongs to a layer', async t => {
      t.ok(modules.length > 20, `${modules.length} modules`)
      t.same(modules.map(({ file }) => layerOf(file)).filter(layer => !LAYERS.includes(layer)), [])
    })

    await t.test('imports point one way', async t => {
      t.same(arrows(modules).filter(([from, to]) => rank(to) < rank(from)).map(show), [])
    })

    await t.test('only the layers at the edge import Fastify', async t => {
      const importers = modules.filter(({ external }) => external.some(it => FASTIFY.test(it)))
      t.ok(importers.length > 5)
      t.same(importers.map(({ file }) => file).filter(file => !HTTP.includes(layerOf(file))), [])
    })

    await t.test('only the stores import generated code', async t => {
      const all = arrows(modules)
      t.ok(all.length > 100)
      t.same(all.filter(([from, to]) => to.startsWith(GENERATED) && !from.startsWith('stores/')).map(show), [])
    })

    await t.test('actions return values: they neither print nor touch the process', async t => {
      t.same(modules.filter(({ file, text }) => file.startsWith('admin/') && /\b(console|process)\./.test(text)).map(({ file }) => file), [])
    })

    await t.test('only config.ts reads the environment', async t => {
      t.same(modules.filter(({ text }) => text.includes('process.env')).map(({ file }) => file), ['config.ts'])
    })
  })
}

await t.test('every package has its place', async t => {
  // The design has stylesheets only.
  t.same(readdirSync(join(root, 'packages')).sort(), [...Object.keys(MAY_IMPORT), 'design'].sort())
})

for (const [name, allowed] of Object.entries(MAY_IMPORT)) {
  await t.test(`${name} imports ${allowed.join(', ') || 'no other package of this repository'}`, async t => {
    const modules = modulesOf(name)
    t.ok(modules.length > 0)
    const external = modules.flatMap(({ external }) => external)
    t.same(external.filter(it => it.startsWith('@frontdesk/') && !allowed.some(other => it.startsWith(`@frontdesk/${other}/`))), [])
    t.same(arrows(modules).filter(([, to]) => to.startsWith('..')).map(show), [], 'and by their names, not by paths')
    t.same(circle(modules), [], 'without a circle')
    // as: npm's format.
    const { dependencies, devDependencies = {} } = JSON.parse(read('packages', name, 'package.json')) as {
      dependencies: Record<string, string>
      devDependencies?: Record<string, string>
    }
    const others = Object.keys(dependencies).filter(it => it.startsWith('@frontdesk/') && !allowed.some(other => it === `@frontdesk/${other}`))
    t.same(others, [], 'and is installed with no other')
    t.same(Object.keys(devDependencies), TESTS_MAY_IMPORT[name] ?? [], 'but for its tests')
    const packages = new Set(external.filter(it => !it.startsWith('node:')).map(packageOf))
    t.same([...packages].filter(it => !(it in dependencies)), [], 'each in its own package.json')
  })
}

await t.test('a service knows the other one in its tests only, as the server that others test against', async t => {
  const imported = ['auth-server', 'customer-service'].flatMap(name => filesBelow(`packages/${name}/test`)
    .flatMap(file => [...read('packages', name, 'test', file).matchAll(/'(@frontdesk\/(?:auth-server|customer-service)\b[^']*)'/g)])
    .map(([, specifier]) => `${name} → ${specifier}`))
  t.same([...new Set(imported)], ['customer-service → @frontdesk/auth-server/testing'])
  t.same(arrows(modulesOf('auth-server')).filter(([from, to]) => to.startsWith('testing/') && !from.startsWith('testing/')).map(show), [])
})

await t.test('the schemas import TypeBox, a digest of Node.js and each other, nothing else', async t => {
  t.same(modulesOf('schemas').flatMap(({ external }) => external).filter(it => !['@sinclair/typebox', 'node:crypto'].includes(it)), [])
})

await t.test('the client needs nothing but what Node.js and browsers have', async t => {
  t.same(modulesOf('customer-client').flatMap(({ external }) => external), [])
  t.same(JSON.parse(read('packages/customer-client/package.json')).dependencies, {})
})

await t.test('in the shared packages, only the layers at the edge import Fastify', async t => {
  const importers = ['schemas', 'database', 'service-kit', 'test-kit'].flatMap(modulesOf)
    .filter(({ external }) => external.some(it => FASTIFY.test(it)))
  t.ok(importers.length > 5)
  t.same(importers.map(({ file }) => file).filter(file => !HTTP.includes(layerOf(file))), [])
})

await t.test(`no source file has more than ${MAX_LINES} lines`, async t => {
  // A schema.prisma is rendered from the others.
  const sources = filesBelow('.').filter(file => /\.(ts|js|sh|eta|css|html|prisma)$/.test(file) && !file.endsWith('/schema.prisma'))
  t.ok(sources.length > 100, `${sources.length} files`)
  t.same(sources.map(file => ({ file, lines: read(file).split('\n').length - 1 })).filter(({ lines }) => lines > MAX_LINES), [])
})

await t.test('the circle check finds a circle', async t => {
  const module = (file: string, ...internal: string[]): Module => ({ file, text: '', internal, external: [] })
  t.same(circle([module('a.ts', 'b.ts', 'd.ts'), module('b.ts', 'c.ts'), module('c.ts', 'b.ts'), module('d.ts')]), ['b.ts', 'c.ts', 'b.ts'])
})

function layerOf (file: string): string {
  return /^[^/]+\/?/.exec(file)![0]
}

function rank (file: string): number {
  return LAYERS.indexOf(layerOf(file))
}

function arrows (modules: readonly Module[]): Array<[from: string, to: string]> {
  return modules.flatMap(({ file, internal }) => internal.map((to): [string, string] => [file, to]))
}

function show ([from, to]: [string, string]): string {
  return `${from} → ${to}`
}

/** The files of the first circle found; none if there is none. */
function circle (modules: readonly Module[]): string[] {
  const imports = new Map(modules.map(({ file, internal }) => [file, internal]))
  const done = new Set<string>()
  const follow = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const next of imports.get(file) ?? []) {
      const found = follow(next, [...path, file])
      if (found.length > 0) return found
    }
    done.add(file)
    return []
  }
  return [...imports.keys()].map(file => follow(file, [])).find(found => found.length > 0) ?? []
}

/** `@scope/name` or `name` of what an import names. */
function packageOf (specifier: string): string {
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
