// Bundles each service with its packages into a few files: reading a thousand modules would take most of a process's start.
// `npm run build` runs it.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './command.js'
import { compiledFiles, modifiedAt } from './sources.js'

const SERVICES = ['auth-server', 'customer-service', 'desk']

/** Packages that cannot be bundled: native code, WebAssembly, threads, and those that instrument others. */
const EXTERNAL = [
  'better-sqlite3',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  '@prisma/client/runtime/*',
  'piscina',
  'pg-native',
  '@opentelemetry/*',
  '@fastify/otel'
]

/** Globals of CommonJS modules. */
const BANNER = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname`

/** The client, one file for browsers. */
const CLIENT = 'customer-client'

/** Writes stale bundles: each service's `dist/bundle/{server,cli,testing}.js` and chunks, and `dist/customer-client.js`. */
export async function bundle (names = [...SERVICES, CLIENT]) {
  const compiled = compiledFiles().filter(file => file.includes('/dist/src/'))
  const modified = Math.max(...['package-lock.json', 'scripts/bundle.js', ...compiled].map(modifiedAt))
  const stale = names.filter(name => modifiedAt(`packages/${name}/dist/${name === CLIENT ? CLIENT : 'bundle/server'}.js`) < modified)
  if (stale.length === 0) return
  const { build } = await import('esbuild')
  await Promise.all(stale.map(service => {
    if (service === CLIENT) return build(clientOptions())
    const dist = join(root, 'packages', service, 'dist')
    const outdir = join(dist, 'bundle')
    // The names of chunks change.
    rmSync(outdir, { recursive: true, force: true })
    const [server, ...others] = entryPoints(dist)
    // The server alone: it would load three times as many chunks if they were split for commands, too.
    return Promise.all([[server], others].map(entries => build(serviceOptions(entries, outdir))))
  }))
}

function serviceOptions (entries, outdir) {
  return {
    entryPoints: Object.fromEntries(entries),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: EXTERNAL,
    banner: { js: BANNER },
    // A third less to load. The lines stay short, because Node.js prints the line of an error.
    minifyWhitespace: true,
    lineLimit: 140,
    // Without keepNames, which calls a function for every closure: a quarter of a request's CPU time.
    logLevel: 'warning',
    plugins: [inPlace(outdir)]
  }
}

/** Not minified: apps without a build step serve it, and developers read it. */
function clientOptions () {
  const folder = join(root, 'packages', CLIENT)
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return {
    entryPoints: [join(folder, 'dist/src/customer-client.js')],
    outfile: join(folder, 'dist/customer-client.js'),
    // Its comments name each file, relative to here.
    absWorkingDir: join(folder, 'dist/src'),
    bundle: true,
    format: 'esm',
    target: 'es2023',
    charset: 'utf8',
    banner: { js: `// ${name} ${version}, MIT license, made of packages/${CLIENT}/src` },
    logLevel: 'warning'
  }
}

/** The server, the command line and, if there are any, the exports for tests. */
function entryPoints (dist) {
  return [['server', 'src/server.js'], ['cli', 'src/cli/main.js'], ['testing', 'src/testing/start.js']]
    .map(([name, file]) => [name, join(dist, file)]).filter(([, file]) => existsSync(file))
}

/** Keeps `import.meta.url` of our files: they find views, migrations and threads relative to it. */
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.argv[2] && process.argv.slice(2))
