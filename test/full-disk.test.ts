import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { AUTH, CUSTOMER } from './support/db-command.js'
import { freePort, Postgres, root } from './support/stack.js'

const SERVICES = [{ name: 'auth-server', command: AUTH }, { name: 'customer-service', command: CUSTOMER }]

const FULL = 'its disk is full. Free space on the file\'s volume (see df -h), but never delete its -wal and -shm files.'

/** A small disk of its own; `undefined` without the right to mount one. */
function mountDisk (t: Test, options: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-disk-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  t.teardown(() => execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Writes a file until not even a page fits any more. */
function fill (folder: string): void {
  for (const size of [1 << 20, 1 << 16, 1 << 12]) {
    try {
      for (;;) appendFileSync(join(folder, 'filler'), Buffer.alloc(size))
    } catch {
      // Full.
    }
  }
}

/** Runs a program to its end; one that goes on is stopped. */
async function run (file: string, args: readonly string[], DATABASE_URL: string): Promise<{ code: unknown, output: string }> {
  return await new Promise(resolve => {
    const options = { env: { PATH: process.env.PATH, DATABASE_URL, AUTH: 'none', PORT: '0' }, timeout: 60_000 }
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: stdout + stderr })
    })
  })
}

const serverOf = (name: string) => join(root, 'packages', name, 'dist/bundle/server.js')
const canMount = mountDisk(t, 'size=64k') !== undefined
const options = canMount ? {} : { skip: 'mounting a disk needs root' }

for (const { name, command } of SERVICES) {
  await t.test(`${name} says that the disk is full when it cannot start for it, with a new database or an old one`, options, async t => {
    const folder = mountDisk(t, 'size=4m')!
    const [file, server] = [join(folder, 'some.db'), serverOf(name)]
    const cannot = `${name} cannot start: The database ${file} cannot be used: ${FULL}\n`
    fill(folder)
    t.strictSame(await run(server, [], `file:${file}`), { code: 1, output: cannot })
    for (const left of readdirSync(folder)) rmSync(join(folder, left))

    t.equal((await run(command, name === 'auth-server' ? ['registration', 'token'] : ['demo', 'add'], `file:${file}`)).code, 0)
    fill(folder)
    t.strictSame(await run(server, [], `file:${file}`), { code: 1, output: cannot })
    const doctor = await run(command, ['doctor'], `file:${file}`)
    t.equal(doctor.code, 1)
    t.match(doctor.output, `✗ The database ${file} cannot be used: its disk is full.\n`)
    const written = await run(command, name === 'auth-server' ? ['keys', 'list'] : ['demo', 'remove'], `file:${file}`)
    t.strictSame(written, { code: 1, output: `The database ${file} cannot be used: ${FULL}\n` })
  })

  await t.test(`${name} says that the disk has no room for more files`, options, async t => {
    const folder = mountDisk(t, 'size=4m,nr_inodes=3')!
    const file = join(folder, 'some.db')
    writeFileSync(join(folder, 'other'), '')
    t.match(await run(serverOf(name), [], `file:${file}`), {
      code: 1,
      output: `${name} cannot start: The database ${file} cannot be used: its disk has no room for more files. Remove files from its volume (df -i`
    })
  })
}

await t.test('both say that the disk of PostgreSQL is full', options, async t => {
  const folder = mountDisk(t, 'size=40m,mode=0700')!
  const server = await Postgres.create()
  t.teardown(() => server.remove())
  await server.start()
  server.own(folder)
  const admin = new pg.Client(server.url)
  admin.on('error', () => {})
  await admin.connect()
  t.teardown(() => admin.end())
  await admin.query(`CREATE TABLESPACE tiny LOCATION '${folder}'`)
  for (const database of ['one', 'two']) await admin.query(`CREATE DATABASE ${database} TABLESPACE tiny`)
  fill(folder)
  for (const [index, { name }] of SERVICES.entries()) {
    const url = new URL(`/${['one', 'two'][index]}`, server.url)
    const { code, output } = await run(serverOf(name), [], url.href)
    t.strictSame({ code, output }, {
      code: 1,
      output: `${name} cannot start: The database postgresql://${url.host}${url.pathname} cannot be used: its disk is full. Free space there.\n`
    })
  }
})

for (const { name } of SERVICES) {
  await t.test(`${name} runs and stops with its log on a full disk, and logs again when there is space`, options, async t => {
    const folder = mountDisk(t, 'size=256k')!
    fill(folder)
    const [log, port] = [openSync(join(folder, 'log'), 'a'), await freePort()]
    t.teardown(() => closeSync(log))
    const database = join(mkdtempSync(join(tmpdir(), 'frontdesk-log-')), 'some.db')
    t.teardown(() => rmSync(dirname(database), { recursive: true }))
    const env = { PATH: process.env.PATH, DATABASE_URL: `file:${database}`, AUTH: 'none', PORT: `${port}`, ISSUER: `http://127.0.0.1:${port}` }
    const child = spawn(process.execPath, [serverOf(name)], { env, stdio: ['ignore', log, 'inherit'] })
    const exit = once(child, 'exit')
    t.teardown(() => { child.kill('SIGKILL') })
    const isReady = async () => await fetch(`http://127.0.0.1:${port}/health/ready`).then(({ ok }) => ok, () => false)
    while (!await isReady() && child.exitCode === null) await setTimeout(50)
    t.ok(await isReady())
    t.equal(statSync(join(folder, 'log')).size, 0)
    rmSync(join(folder, 'filler'))
    while (!readFileSync(join(folder, 'log'), 'utf8').includes('Server listening') && child.exitCode === null) await setTimeout(50)
    fill(folder)
    await isReady()
    child.kill('SIGTERM')
    t.strictSame(await exit, [0, null])
  })
}

await t.test('lines that cannot be written wait, up to 1 MB, and the number of others is logged', options, async t => {
  const folder = mountDisk(t, 'size=4m')!
  fill(folder)
  const log = openSync(join(folder, 'log'), 'a')
  t.teardown(() => closeSync(log))
  const program = `
    const { logStream } = await import(${JSON.stringify(new URL('packages/service-kit/dist/src/log-stream.js', `file://${root}`).href)})
    const { rmSync } = await import('node:fs')
    const stream = logStream('test')
    for (let line = 0; line < 20_000; line++) stream.write('{"line":"' + String(line).padEnd(88) + '"}\\n')
    rmSync(${JSON.stringify(join(folder, 'filler'))})
    setTimeout(() => {}, 300)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', log, 'inherit'] })
  t.teardown(() => { child.kill('SIGKILL') })
  t.strictSame(await once(child, 'exit'), [0, null])
  const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').map(line => JSON.parse(line))
  const notice = lines.find(({ level }) => level === 40)
  t.match(notice, { dropped: Number, msg: 'the log could not be written; lines were dropped' })
  t.equal(lines.length - 1 + notice.dropped, 20_000)
})
