import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t from 'tap'
import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { addPerson, authorizationUrl, erika, Person } from '../support/person.js'
import { read } from '../support/sources.js'
import { runBruno } from '../support/openapi/bruno.js'
import { startCheckedStack } from '../support/openapi/checked-stack.js'
import { endStack, freePort, root } from '../support/stack.js'
import { startMishaps } from '../support/e2e/mishaps.js'

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

/** Why an example cannot be run here, `false` if it can. */
const skip = (...programs: string[]) => programs.some(name => spawnSync(name, ['--version']).status !== 0)
  ? `${programs.join(' or ')} was not found. Install it (Debian: apt-get install ${programs.join(' ')}).`
  : false

// The programs come through a proxy, so that is the address of the service.
const port = await freePort()
const proxy = `http://localhost:${port}`
const { stack, assertDocumented } = await startCheckedStack(t, ['auth-server', 'customer-service'], { AUDIENCE: proxy, DEFAULT_AUDIENCE: proxy })
await addPerson(stack, erika)

/** Runs an example as a reader does, with other addresses. */
async function run (program: string, file: string, env: Record<string, string>) {
  const child = spawn(program, [join(root, 'examples', file)], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  for (const line of `${stdout}${stderr}`.split('\n')) stack.leakCheck.line(line)
  return { code: child.exitCode, stdout, stderr }
}

await t.test('examples/curl.sh', { skip: skip('bash', 'curl') }, async t => {
  const bin = join(stack.dataDir, 'bin')
  const temporary = join(stack.dataDir, 'tmp')
  for (const folder of [bin, temporary]) await mkdir(folder)
  for (const program of PROGRAMS) {
    await writeFile(join(bin, program), RECORDER)
    await chmod(join(bin, program), 0o755)
  }

  const runScript = async (env: Record<string, string> = {}) => await run('bash', 'curl.sh', {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    REAL_PATH: process.env.PATH!,
    RECORD: stack.dataDir,
    TMPDIR: temporary,
    ISSUER: stack.issuer,
    CUSTOMER_URL: stack.address('customer-service'),
    CALLBACK: stack.callback,
    FRONTDESK_USER: erika.username,
    FRONTDESK_PASSWORD: erika.password,
    ...env
  })

  await t.test('it signs in and leads a customer through its life', async t => {
    const { code, stdout, stderr } = await runScript()
    t.equal(stderr, '')
    t.equal(code, 0)
    const steps = stdout.trim().split('\n').map(line => line.replace(/^ok {2}/, ''))
    t.match(steps, [
      'GET /authorize redirects to the consent page',
      'GET /consent shows the form',
      'POST /consent grants a token for 600 seconds: customer:read customer:write customer:delete',
      'POST registers customer 1, charitha, 33, piliyandala',
      'GET reads the name, charitha',
      'PUT moves charitha to colombo',
      /^GET reads the record, \{.*"customeraddress":"colombo".*\}$/,
      'DELETE removes customer 1',
      'GET returns 404'
    ])
    t.equal(steps.length, 9)
  })

  await t.test('it can run again at once', async t => {
    t.equal((await runScript({ CUSTOMER_ID: '4711' })).code, 0)
  })

  const refusals = [
    { name: 'a wrong password', env: { FRONTDESK_PASSWORD: 'Not what it should be' }, sentence: /^Failed: POST \/consent returned 403, not 303\. Check FRONTDESK_USER and FRONTDESK_PASSWORD\./ },
    { name: 'an app that is not registered', env: { CLIENT_ID: 'unknown' }, sentence: /^Failed: GET \/authorize returned 400, not 302\./ },
    { name: 'a callback that is not registered', env: { CALLBACK: 'https://other.example/' }, sentence: /^Failed: GET \/authorize returned 400, not 302\./ },
    { name: 'an auth-server that is not there', env: { ISSUER: 'http://localhost:9' }, sentence: /Failed: no response; are the services running at http:\/\/localhost:9 and / },
    { name: 'a number out of range', env: { CUSTOMER_ID: '2147483648' }, sentence: /^Failed: POST returned 400, not 201\. .*customerid/ }
  ]
  for (const { name, env, sentence } of refusals) {
    await t.test(`it ends with a sentence at ${name}`, async t => {
      const { code, stderr } = await runScript(env)
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
    stack.leakCheck.answer({ location: valuesOf('location')[0] ?? null, cookies: valuesOf('set-cookie') })
  }
})

await t.test('the Bruno collection leads a customer through its life', async t => {
  const scope = [...Object.keys(customerScopes), 'customer:erase'].join(' ')
  const answer = new URL(await new Person(stack).allow(authorizationUrl(stack, { scope }), erika))
  const lines = await runBruno(stack.address('customer-service'), new URLSearchParams(answer.hash.slice(1)).get('access_token')!)
  t.equal(lines.length, readdirSync(join(root, 'examples/bruno')).filter(file => file.endsWith('.bru')).length - 1)
  t.same(lines.filter(line => line.includes('instead of')), [])
})

await t.test('the programs', async t => {
  const person = new Person(stack)
  const answer = new URL(await person.allow(authorizationUrl(stack, { scope: 'customer:read customer:write' }), erika))
  const authorization = `Bearer ${new URLSearchParams(answer.hash.slice(1)).get('access_token')}`
  const customers = `${stack.address('customer-service')}/rest/qa/customer`
  const send = async (url: string, method: string, form: Record<string, string>) => {
    const { status } = await fetch(url, { method, headers: { authorization }, body: new URLSearchParams(form) })
    if (status >= 300) throw new Error(`${method} ${url} answered ${status}`)
  }
  for (const customerid of ['11', '12', '13']) await send(customers, 'POST', { customerid, customername: 'Charlotte', customerage: '1', customeraddress: 'Paris' })
  const mishaps = await startMishaps(t, port, stack.address('customer-service'), async path => { await send(new URL(path, customers).href, 'PATCH', { customerage: '40' }) })

  const files = { 'customers.mjs': process.execPath, 'customers.py': 'python3' }
  const [command, ...others] = new Set(Object.keys(files).flatMap(file => [...read('examples', file).matchAll(/npx --no frontdesk-auth .*/g)].map(([it]) => it)))
  t.same(others, [], 'both say the same command')
  const npx = `npx () { shift 2; '${process.execPath}' '${join(root, 'packages/auth-server/bin/frontdesk-auth.js')}' "$@"; }`
  const env = { ...process.env, DATABASE_URL: `file:${stack.database('auth-server')}` }
  const { stdout: registered } = await promisify(execFile)('bash', ['-c', `${npx}\n${command}`], { env })
  const CLIENT_SECRET = /shown only now: (\S+)$/m.exec(registered)![1]!
  stack.leakCheck.secret(CLIENT_SECRET)

  for (const [file, program] of Object.entries(files)) {
    const runProgram = async (env: Record<string, string> = {}) => await run(program, file, { CUSTOMER_URL: proxy, CLIENT_ID: 'my-program', CLIENT_SECRET, ...env })

    await t.test(`examples/${file} leads a customer through its life, whatever happens meanwhile, and says why it cannot go on`, { skip: skip(program) }, async t => {
      const { code, stdout, stderr } = await runProgram()
      t.equal(stderr, '')
      t.equal(code, 0)
      t.same(stdout.trim().split(/\r?\n/), [
        'Got a token for 600 seconds: customer:read customer:write customer:delete',
        'Registered customer 1',
        'Looked it up: charitha',
        'Found 1, charitha', 'Found 11, Charlotte', 'Found 12, Charlotte', 'Found 13, Charlotte',
        'It changed in the meantime; reading it again',
        'Changed it: 41 years old',
        'Removed it'
      ])
      t.same(mishaps(), ['the answer was lost', 'another client was quicker'])
      const refusals: Array<[env: Record<string, string>, sentence: RegExp]> = [
        [{ CLIENT_SECRET: 'not what it should be' }, /^Failed: invalid_client\. \w/],
        [{ CLIENT_SECRET: '' }, /^Failed: Set CLIENT_ID and CLIENT_SECRET; /],
        [{ CUSTOMER_URL: stack.address('customer-service') }, new RegExp(`^Failed: The service calls itself ${proxy}\\. `)],
        [{ CUSTOMER_URL: 'http://localhost:9' }, /^Failed: no response \(.+\); are the services running\?/],
        [{ CUSTOMER_ID: '2147483648' }, /^Failed: The form is not valid\. Correct the fields in errors: customerid\.$/m],
        [{ CUSTOMER_ID: '11' }, /^Failed: The identifier is already in use\. A customer with the identifier 11 already exists\. Nothing was changed\. Set CUSTOMER_ID to another number\.$/m]
      ]
      for (const [env, sentence] of refusals) {
        const { code, stderr } = await runProgram(env)
        t.equal(code, 1)
        t.match(stderr, sentence)
      }
      mishaps()
    })
  }
})

assertDocumented(t)
await endStack(t, stack)
