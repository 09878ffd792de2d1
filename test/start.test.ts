import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { freePort, root } from './support/stack.js'

const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-'))
t.teardown(() => rm(dataDir, { recursive: true, force: true }))
const [auth, customers, app] = [await freePort(), await freePort(), await freePort()]
const ports = { AUTH_PORT: `${auth}`, CUSTOMER_PORT: `${customers}`, DESK_PORT: `${app}`, DATA_DIR: dataDir }

/** A command in the folder of the clone, in a process group of its own, as a terminal gives it. */
function run (command: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(command, args, {
    cwd: root, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => { said += chunk.toString() })
  const ended = once(child, 'close')
  const kill = () => process.kill(-child.pid!, 'SIGTERM')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!await condition()) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command} ${args.join(' ')} ended:\n${said}`)
      await setTimeout(50)
    }
  }
  return {
    said: () => said,
    until,
    /** As `kill -9`: it can tell no one. */
    kill () {
      child.kill('SIGKILL')
      // What outlives it holds them.
      child.stdout.destroy()
      child.stderr.destroy()
    },
    /** Ctrl-C: the signal goes to the whole group. (npm then ends by the signal, whatever the script did.) */
    async interrupt () {
      process.kill(-child.pid!, 'SIGINT')
      await ended
    },
    async end () {
      await ended
      return child.exitCode
    }
  }
}

await t.test('npm start starts everything, says where it is, ends with Ctrl-C and keeps the data', async t => {
  const keys: string[] = []
  for (const time of ['first', 'second']) {
    const started = run('npm', ['start'], { ...ports, CORS_ORIGINS: 'http://localhost:5173' })
    await started.until(() => started.said().includes('Frontdesk is running'))
    for (const origin of [`http://localhost:${app}`, 'http://localhost:5173']) {
      const { headers } = await fetch(`http://localhost:${customers}/rest/qa/customer`, { headers: { origin } })
      t.equal(headers.get('access-control-allow-origin'), origin, 'CORS_ORIGINS adds to its own')
    }
    for (const port of [auth, customers, app]) t.match(started.said(), `http://localhost:${port}`)
    t.match(started.said(), 'Sign in as demo with the password demo, unless you have changed it.')
    t.match(started.said(), `http://localhost:${auth}/admin `)
    t.match((await fetch(`http://localhost:${auth}/admin`)).url, '/consent', 'the console asks to sign in')
    t.equal((await fetch(`http://localhost:${app}`)).status, 200)
    t.equal((await fetch(`http://localhost:${customers}/health/ready`)).status, 200)
    keys.push(await (await fetch(`http://localhost:${auth}/.well-known/jwks.json`)).text())
    await started.interrupt()
    t.equal(started.said().split('Ctrl-C stops everything.')[1]?.trim(), '', `the ${time} time it ends without a complaint`)
    for (const port of [auth, customers, app]) await t.rejects(fetch(`http://localhost:${port}`), `nothing listens on ${port} any more`)
  }
  // The key of ID tokens, which takes a moment to make, may come after the first look.
  const [before, after] = keys.map(text => (JSON.parse(text) as { keys: object[] }).keys)
  t.same(after!.slice(0, before!.length), before, 'the signing keys are the same')
})

await t.test(
  'a second npm start on the same data, with other ports, is refused, and the line it prints makes commands and examples work',
  async t => {
    const started = run('npm', ['start'], ports)
    await started.until(() => started.said().includes('Frontdesk is running'))
    const others = { AUTH_PORT: `${await freePort()}`, CUSTOMER_PORT: `${await freePort()}`, DESK_PORT: `${await freePort()}` }
    const second = run('npm', ['start'], { ...ports, ...others })
    t.equal(await second.end(), 1)
    t.match(second.said(), `Another \`npm start\` is using the data in ${dataDir}. Stop it, or set DATA_DIR to another folder`)

    const line = /^ +(export DATA_DIR=.*)$/m.exec(started.said())?.[1]
    const shell = (command: string) =>
      promisify(execFile)('bash', ['-c', `${line}\n${command}`], { cwd: root, env: { PATH: process.env.PATH, HOME: process.env.HOME } })
    const { stdout: demo } = await shell('npx --no frontdesk-auth client show desk')
    t.match(demo, new RegExp(`^Callbacks +http://localhost:${app}/callback$`, 'm'), 'the callback of the first')
    t.match(demo, new RegExp(`^After sign-out +http://localhost:${app}/$`, 'm'))
    t.match((await shell('bash examples/curl.sh')).stdout, 'ok  GET returns 404')
    for (const command of ['frontdesk-auth', 'frontdesk-customer']) {
      const { stdout } = await shell(`npx --no ${command} doctor || [ $? = 3 ]`)
      t.match(stdout, dataDir, command)
      t.notMatch(stdout, '✗', command)
    }
    await started.interrupt()
  }
)

for (const [command, ...args] of [['npm', 'start'], [process.execPath, 'scripts/start.js']] as const) {
  await t.test(`kill -9 of "${[command.split('/').at(-1), ...args].join(' ')}" ends what it has started`, async t => {
    const started = run(command, args, ports)
    await started.until(() => started.said().includes('Frontdesk is running'))
    started.kill()
    for (const port of [auth, customers, app]) {
      const answers = () => fetch(`http://localhost:${port}`).then(() => true, () => false)
      for (const deadline = Date.now() + 15_000; Date.now() < deadline && await answers();) await setTimeout(100)
      t.notOk(await answers(), `nothing listens on ${port} any more`)
    }
  })
}

// as: the script is JavaScript.
const { exportLine } = await import(
  new URL('scripts/settings.js', `file://${root}`).href
) as { exportLine: (settings: object) => string | undefined }
const usual = { AUTH_PORT: 3000, CUSTOMER_PORT: 3001, DESK_PORT: 3002, DATA_DIR: join(root, 'data') }

await t.test('the line of settings is for the shell, and left out where nothing was moved', async t => {
  t.equal(exportLine(usual), undefined)
  const awkward = "/a b/it's $HOME"
  const { stdout } = await promisify(execFile)('bash', ['-c', `${exportLine({ ...usual, DATA_DIR: awkward })}\nprintf %s "$DATA_DIR"`])
  t.equal(stdout, awkward)
})

await t.test('with MCP=on, the line makes commands accept the assistants that the server accepts', async t => {
  t.intercept(process, 'env', { value: { ...process.env, MCP: 'on', REGISTRATION: '', CALLBACK_SCHEMES: 'cursor, notes' } })
  const line = exportLine(usual)
  t.match(line, /^export REGISTRATION=open /, 'also on the usual ports')
  const id = 'https://notes.example/client.json'
  const file = join(dataDir, 'client.json')
  await writeFile(file, JSON.stringify({ client_id: id, redirect_uris: ['cursor://callback', 'notes://callback'] }))
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['-c', `${line}\nnpx --no frontdesk-auth client document ${id} --file ${file}`],
    { cwd: root, env: { PATH: process.env.PATH, HOME: process.env.HOME } }
  )
  t.match(stdout, `${id} is accepted.`)
  t.equal(stderr, '')
})

await t.test('npm start names the port that is taken, and the setting that changes it', async t => {
  const server = createServer().listen(customers, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const started = run('npm', ['start'], ports)
  t.equal(await started.end(), 1)
  t.match(started.said(), new RegExp(`Port ${customers} is in use\\. .*CUSTOMER_PORT`))
})

const alone = {
  'npm start -w packages/auth-server': {
    address: `http://localhost:${auth}`,
    env: { PORT: `${auth}`, DATABASE_URL: `file:${dataDir}/alone.db` }
  },
  'npm start -w packages/customer-service': {
    address: `http://localhost:${customers}`,
    env: { PORT: `${customers}`, DATABASE_URL: `file:${dataDir}/customers-alone.db` }
  }
}
for (const [command, { address, env }] of Object.entries(alone)) {
  await t.test(`${command} starts one service alone`, async t => {
    const [program, ...args] = command.split(' ')
    const started = run(program!, args, env)
    await started.until(() => fetch(`${address}/health/live`).then(({ ok }) => ok, () => false))
    t.equal((await fetch(`${address}/openapi.json`)).status, 200)
    await started.interrupt()
  })
}
