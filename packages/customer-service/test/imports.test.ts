import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/** Places of src/, from the process to the settings: a file imports from its own place or from one further on. */
const order = ['server server-options', 'app', 'plugins', 'routes', 'tokens', 'keys', 'stores', 'customer', 'input', 'problems', 'config']
const lastWithHttp = 3

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.includes('generated'))
  .map(file => ({ file, imports: [...readFileSync(join(src, file), 'utf8').matchAll(/^(?:import|export) .*?from '(.+)'$|import\('(.+)'\)/gm)].map(([, name, lazy]) => name ?? lazy ?? '') }))
const rank = (file: string) => order.findIndex(names => names.split(' ').includes(file.split(/[/.]/)[0] ?? ''))
const locate = (file: string, name: string) => relative(src, resolve(src, dirname(file), name)).replace(/\.js$/, '.ts')
const isOwn = (name: string) => name.startsWith('.')

t.test('imports point one way, from the process to the settings', async t => {
  t.ok(files.length > 40)
  for (const { file, imports } of files) {
    t.ok(rank(file) >= 0, `${file} has a place in the order`)
    for (const name of imports.filter(isOwn)) {
      const imported = locate(file, name)
      t.ok(rank(imported) >= rank(file), `${file} → ${imported}`)
      t.ok(file.startsWith('stores/prisma/') || !imported.includes('generated'), `${file} → ${imported}`)
    }
    for (const name of imports.filter(name => /^@?fastify/.test(name))) t.ok(rank(file) <= lastWithHttp, `${file} → ${name}`)
  }
})

t.test('there are no import circles', async t => {
  const graph = new Map(files.map(({ file, imports }) => [file, imports.filter(isOwn).map(name => locate(file, name))]))
  const done = new Set<string>()
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) t.fail([...path, file].join(' → '))
    else if (!done.has(file)) for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  t.ok(done.size >= files.length)
})
