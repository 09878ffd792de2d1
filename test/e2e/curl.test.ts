import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { addPerson, erika } from '../person.js'
import { endStack, root, startStack } from '../stack.js'

/** Every program that the script starts. */
const PROGRAMS = ['curl', 'cat', 'grep', 'head', 'mktemp', 'od', 'rm', 'sed', 'tr']

/** Stands in for a program: writes down its arguments and, of curl, the headers that came, and runs the real one. */
const RECORDER = `#!/usr/bin/env bash
name=\${0##*/}
printf '%s\\n' "$name" "$@" >> "$RECORD/arguments"
PATH=$REAL_PATH "$name" "$@"
code=$?
while [ $# -gt 0 ]; do
  [ "$1" != --dump-header ] || PATH=$REAL_PATH cat "$2" >> "$RECORD/headers"
  shift
done
exit $code
`

const skip = ['bash', 'curl'].some(name => spawnSync(name, ['--version']).error !== undefined)
  ? 'bash or curl was not found. Install both (Debian: apt-get install bash curl).'
  : false

await t.test('examples/curl.sh', { skip }, async t => {
  const stack = await startStack(t, ['auth-server', 'customer-service'])
  await addPerson(stack, erika)
  const bin = join(stack.dataDir, 'bin')
  const temporary = join(stack.dataDir, 'tmp')
  for (const folder of [bin, temporary]) await mkdir(folder)
  for (const program of PROGRAMS) {
    await writeFile(join(bin, program), RECORDER)
    await chmod(join(bin, program), 0o755)
  }

  /** Runs the script as a reader does, with other addresses. */
  async function run (env: Record<string, string> = {}) {
    const child = spawn('bash', [join(root, 'examples/curl.sh')], {
      env: {
        PATH: `${bin}${delimiter}${process.env.PATH}`,
        REAL_PATH: process.env.PATH,
        RECORD: stack.dataDir,
        TMPDIR: temporary,
        ISSUER: stack.issuer,
        CUSTOMER_URL: stack.address('customer-service'),
        CALLBACK: stack.callback,
        FRONTDESK_USER: erika.username,
        FRONTDESK_PASSWORD: erika.password,
        ...env
      },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    for (const line of `${stdout}${stderr}`.split('\n')) stack.witness.line(line)
    return { code: child.exitCode, stdout, stderr }
  }

  await t.test('it signs in and leads a customer through its life', async t => {
    const { code, stdout, stderr } = await run()
    t.equal(stderr, '')
    t.equal(code, 0)
    const steps = stdout.trim().split('\n').map(line => line.replace(/^ok {2}/, ''))
    t.match(steps, [
      'GET /authorize leads to the consent page',
      'GET /consent shows the form',
      'POST /consent grants a token for 600 seconds: customer:read customer:write customer:delete',
      'POST registers customer 1, charitha, 33, piliyandala',
      'GET reads the name, charitha',
      'PUT moves charitha to colombo',
      /^GET reads the record, \{.*"customeraddress":"colombo".*\}$/,
      'DELETE removes customer 1',
      'GET finds it no more'
    ])
    t.equal(steps.length, 9)
  })

  await t.test('it can run again at once', async t => {
    t.equal((await run({ CUSTOMER_ID: '4711' })).code, 0)
  })

  const refusals = [
    { name: 'a wrong password', env: { FRONTDESK_PASSWORD: 'Not what it should be' }, sentence: /^Failed: POST \/consent answered 403, not 303\. Check FRONTDESK_USER and FRONTDESK_PASSWORD\./ },
    { name: 'an app that is not registered', env: { CLIENT_ID: 'unknown' }, sentence: /^Failed: GET \/authorize answered 400, not 302\./ },
    { name: 'a callback that is not registered', env: { CALLBACK: 'https://other.example/' }, sentence: /^Failed: GET \/authorize answered 400, not 302\./ },
    { name: 'an auth-server that is not there', env: { ISSUER: 'http://localhost:9' }, sentence: /Failed: no answer; are the services running at http:\/\/localhost:9 and / },
    { name: 'a number out of range', env: { CUSTOMER_ID: '0' }, sentence: /^Failed: POST answered 400, not 201\. .*customerid/ }
  ]
  for (const { name, env, sentence } of refusals) {
    await t.test(`it ends with a sentence at ${name}`, async t => {
      const { code, stderr } = await run(env)
      t.equal(code, 1)
      t.match(stderr, sentence)
    })
  }

  await t.test('neither password nor token is ever an argument of a program, where others could read it', async t => {
    const recorded = await readFile(join(stack.dataDir, 'arguments'), 'utf8')
    t.same(PROGRAMS.filter(program => !recorded.includes(program)), [], 'the arguments of every program were seen')
    t.match(recorded, `${stack.issuer}/consent?`)
    t.notMatch(recorded, erika.password)
    t.notMatch(recorded, /eyJ/)
  })

  await t.test('it leaves no file behind', async t => {
    t.same(await readdir(temporary), [])
  })

  for (const head of (await readFile(join(stack.dataDir, 'headers'), 'utf8')).split(/\r?\n\r?\n/)) {
    const valuesOf = (name: string) => [...head.matchAll(new RegExp(`^${name}: *(.*?)\\r?$`, 'gim'))].map(match => match[1]!)
    stack.witness.answer({ location: valuesOf('location')[0] ?? null, cookies: valuesOf('set-cookie') })
  }
  await endStack(t, stack)
})
