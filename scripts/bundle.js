// What a service runs: its compiled files, and the packages that they use, as a few files: finding and reading a thousand takes
// longer than all else at the start of a process. `npm run build` writes them.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './command.js'
import { compiledFiles, writtenAt } from './sources.js'

const SERVICES = ['auth-server', 'customer-service']

/** Packages that stay as they are: native code, WebAssembly, threads, and what instruments others. */
const EXTERNAL = [
  'better-sqlite3',
  '@node-rs/argon2',
  '@prisma/client/runtime/*',
  'piscina',
  'pg-native',
  '@opentelemetry/*',
  '@fastify/otel'
]

/** What CommonJS modules expect. */
const BANNER = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname`

/** What browsers load as one file. */
const CLIENT = 'customer-client'

/**
 * Writes what is older than what it is made of: of each service `dist/bundle/{server,cli,testing}.js` and chunks, and
 * `dist/customer-client.js`.
 */
export async function bundle (names = [...SERVICES, CLIENT]) {
  const written = writtenLast()
  const stale = names.filter(name => writtenAt(`packages/${name}/dist/${name === CLIENT ? CLIENT : 'bundle/server'}.js`) < written)
  if (stale.length === 0) return
  const { build } = await import('esbuild')
  await Promise.all(stale.map(service => {
    if (service === CLIENT) return build(ofClient())
    const dist = join(root, 'packages', service, 'dist')
    const outdir = join(dist, 'bundle')
    // Chunks have other names each time.
    rmSync(outdir, { recursive: true, force: true })
    return build({
      entryPoints: Object.fromEntries(entryPoints(dist)),
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      external: EXTERNAL,
      banner: { js: BANNER },
      // Without keepNames: it calls a function for each one that is made, which took a quarter of the CPU of a request.
      logLevel: 'warning',
      plugins: [inPlace(outdir)]
    })
  }))
}

/** Not minified: apps without a build step serve it, and people read it. */
function ofClient () {
  const folder = join(root, 'packages', CLIENT)
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return {
    entryPoints: [join(folder, 'dist/src/customer-client.js')],
    outfile: join(folder, 'dist/customer-client.js'),
    bundle: true,
    format: 'esm',
    target: 'es2023',
    charset: 'utf8',
    banner: { js: `// ${name} ${version}, MIT license, made of packages/${CLIENT}/src` },
    logLevel: 'warning'
  }
}

/** The process, the command, and what a service exports for tests. */
function entryPoints (dist) {
  return [['server', 'src/server.js'], ['cli', 'src/cli/main.js'], ['testing', 'src/testing/start.js']]
    .map(([name, file]) => [name, join(dist, file)]).filter(([, file]) => existsSync(file))
}

/** For our files `import.meta.url` remains what it was: views, migrations and threads are found from there. */
function inPlace (outdir) {
  const ours = /[\\/]packages[\\/][^\\/]+[\\/]dist[\\/]src[\\/].*\.js$/
  return {
    name: 'in-place',
    setup: ({ onLoad }) => onLoad({ filter: ours }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(relative(outdir, path).replaceAll(sep, '/'))}, import.meta.url).href`
      )
    }))
  }
}

/** When anything that a bundle is made of was written last. */
function writtenLast () {
  const compiled = compiledFiles().filter(file => file.includes('/dist/src/'))
  return Math.max(...['package-lock.json', 'scripts/bundle.js', ...compiled].map(writtenAt))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.argv[2] && process.argv.slice(2))
