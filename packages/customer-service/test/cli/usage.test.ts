import { readFileSync } from 'node:fs'
import t from 'tap'
import { run } from '../support/cli/frontdesk-customer.js'

const away = { DATABASE_URL: 'file:/nowhere/none.db' }

t.test('help, version and wrong usage', async t => {
  // as: npm's format.
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  t.strictSame(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
  const help = await run(['doctor', '--help'])
  t.match(help.stdout, /--json.*--token|--token.*--json/s)
  t.notOk(help.stdout.split('\n').find(line => line.length > 80))
  for (const args of [[], ['doctr'], ['doctor', '--jsn'], ['doctor', 'x'], ['doctor', '--token=abc']]) {
    const { code, stdout } = await run(args)
    t.same([code, stdout], [2, ''], args.join(' '))
  }
})

t.test('shells complete its commands', async t => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    t.match((await run(['completion', shell])).stdout, /frontdesk-customer$|^complete -c frontdesk-customer /m, shell)
  }
})

t.test('every invalid setting is reported, and nothing else is checked', async t => {
  const { code, stdout } = await run(['doctor'], { ENVIRONMENT: 'production', TRUST_PROXY: 'true' })
  t.equal(code, 1)
  t.match(stdout, /^✓ Settings: .*\n✗ TRUST_PROXY must .*\n✗ ISSUER must .*\n✗ AUDIENCE must .*\n\? Nothing else was checked\.\n/)
})

t.test('invalid settings are sentences', async t => {
  t.strictSame(await run(['webhook', 'list'], { ...away, FEED_DAYS: 'x', PORT: 'x' }), {
    code: 1, stdout: '', stderr: 'PORT must be a whole number from 0 to 65535.\nFEED_DAYS must be a whole number of days from 0 to 3650.\n'
  })
})

t.test('a service that needs no token is reported loudly; in production beyond this machine it is wrong', async t => {
  const sentence = (host: string) => `AUTH=none: ANYONE WHO REACHES ${host} CAN READ, CHANGE AND REMOVE EVERY CUSTOMER.`
  const here = await run(['doctor'], { ...away, AUTH: 'none' })
  t.equal(here.code, 3)
  t.match(here.stdout, `! ${sentence('127.0.0.1')}`)
  const open = await run(['doctor'], { ...away, AUTH: 'none', AUTH_NONE_ANYWHERE: 'yes', HOST: '0.0.0.0', ENVIRONMENT: 'production' })
  t.equal(open.code, 1)
  t.match(open.stdout, `✗ ${sentence('0.0.0.0')}`)
  t.match(open.stdout, '✓ CORS_ORIGINS is empty: pages in browsers cannot call the API; programs can.')
})

t.test('pages without TLS in production', async t => {
  const { stdout } = await run(['doctor'], {
    ...away,
    AUTH: 'none',
    ENVIRONMENT: 'production',
    CORS_ORIGINS: 'https://app.example,http://plain.example'
  })
  t.match(stdout, /^! CORS_ORIGINS has origins without TLS.*: http:\/\/plain\.example\.$/m)
})

t.test('colours are for terminals alone', async t => {
  t.match((await run(['doctor'], { ...away, AUTH: 'none', FORCE_COLOR: '1' })).stdout, '\u001b[33m!')
  t.notMatch((await run(['doctor'], { ...away, AUTH: 'none' })).stdout, '\u001b')
})
