import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { freePort, root } from './support/stack.js'

/** What a package.json says of its package. */
interface Manifest {
  private?: boolean
  license: string
  engines: { node: string }
  files: string[]
  exports: Record<string, string | { types: string, default: string }>
}

/** A program that uses the server for tests. */
const TEST = `
  import { start } from '@frontdesk/auth-server/testing'
  const server = await start()
  await server.addClient({ id: 'my-app' })
  const { status } = await fetch(server.jwksUrl)
  console.log(status, (await server.badTokens({ client: 'my-app' })).length)
  await server.close()
`

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-pack-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const run = promisify(execFile)

// as: npm says so.
const packed = JSON.parse((await run('npm', [
  'pack', '--json', '--foreground-scripts=false', '--pack-destination', folder,
  ...(await readdir(join(root, 'packages'))).map(name => `./packages/${name}`), './examples/browser-app'
],
{ cwd: root, maxBuffer: 1e8 })).stdout) as Array<{ name: string, filename: string, files: Array<{ path: string }> }>

for (const { name, files } of packed) {
  await t.test(`${name} holds what its package.json names, and no test, map or source`, async t => {
    const paths = files.map(({ path }) => path)
    // as: the file is ours.
    const {
      private: hidden, license, engines, exports
    } = JSON.parse(await readFile(join(root, folderOf(name), 'package.json'), 'utf8')) as Manifest
    t.match({ hidden, license, engines }, { hidden: undefined, license: 'MIT', engines: { node: '>=20.19' } })
    for (const target of Object.values(exports).flatMap(it => typeof it === 'string' ? it : [it.types, it.default])) {
      const [head, tail] = target.replace('./', '').split('*')
      t.ok(paths.some(path => path.startsWith(head!) && path.endsWith(tail ?? '')), target)
    }
    t.ok(paths.includes('LICENSE'))
    t.same(paths.filter(path => /\.map$|(^|\/)test\/|tsbuildinfo|(?<!\.d)\.ts$/.test(path)), [])
  })
}

await t.test(
  'installed from their tarballs into an empty folder, the desk and both services, on SQLite in ./data, start and print where they are',
  async t => {
    const app = join(folder, 'app')
    await mkdir(app)
    await run('npm', ['init', '--yes'], { cwd: app })
    // Without the test kit, which brings every tool of the checks.
    const tarballs = packed.filter(({ name }) => name !== '@frontdesk/test-kit').map(({ filename }) => join(folder, filename))
    await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], { cwd: app })
    // Compiled a minute long: the same version, as the lockfile of the clone says.
    await cp(join(root, 'node_modules/better-sqlite3/build'), join(app, 'node_modules/better-sqlite3/build'), { recursive: true })

    await writeFile(join(app, 'test.mjs'), TEST)
    t.match((await run('node', ['test.mjs'], { cwd: app })).stdout, /^200 \d{2}\n$/, 'the server for tests')

    const [auth, customers, desk] = [await freePort(), await freePort(), await freePort()]
    const ISSUER = `http://localhost:${auth}`
    const running = `Frontdesk is running. Data: ${join(app, 'data')}`
    await serve(['frontdesk-auth', 'serve'], { PORT: `${auth}`, ISSUER }, [running, ISSUER, 'Sign in as demo with the password demo.'])
    await serve(['frontdesk-customer', 'serve'], { PORT: `${customers}`, ISSUER }, [running, `http://localhost:${customers}/docs`])
    await serve(['frontdesk-desk'], { PORT: `${desk}`, ISSUER }, [`Server listening at http://127.0.0.1:${desk}`])
    const [, module = ''] = /<script type="module" src="([^"]+)"/.exec(await text(`http://localhost:${desk}/`)) ?? []
    t.match(await text(`http://localhost:${desk}${module}`), 'sign-in/oauth.js', 'the desk\'s files')
    t.match(await text(`${ISSUER}/assets/style.css`), '--accent:', 'assets')
    const query = new URLSearchParams({
      response_type: 'token',
      client_id: 'desk',
      redirect_uri: 'http://localhost:3002/callback',
      state: 's'
    })
    t.match(await text(`${ISSUER}/authorize?${query}`), 'Customer desk', 'views')
    t.match(await text(`http://localhost:${customers}/health/ready`), /./)
    t.match(await text(`http://localhost:${customers}/docs/`), 'swagger')
    t.same((await readdir(join(app, 'data'))).filter(file => file.endsWith('.db')).sort(), ['auth.db', 'customers.db'])

    async function serve (command: string[], env: Record<string, string>, sentences: string[]) {
      const child = spawn('npx', ['--no-install', ...command], {
        cwd: app,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe']
      })
      const ended = once(child, 'close')
      const kill = () => process.kill(-child.pid!, 'SIGTERM')
      process.once('exit', kill)
      t.teardown(async () => {
        process.off('exit', kill)
        process.kill(-child.pid!, 'SIGINT')
        await ended
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString()
        })
      }
      while (!sentences.every(sentence => said.includes(sentence))) {
        if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended: ${said}`)
        await setTimeout(50)
      }
    }
  }
)

/** The folder of a package. The desk signs users in with files of an example. */
function folderOf (name: string): string {
  return name === '@frontdesk/browser-app' ? 'examples/browser-app' : join('packages', name.replace('@frontdesk/', ''))
}

async function text (url: string): Promise<string> {
  const response = await fetch(url)
  return response.ok ? await response.text() : `${url}: ${response.status} ${await response.text()}`
}
