import t from 'tap'
import { nowhere, run } from '../support/cli/frontdesk-customer.js'

t.test('login goes to ISSUER of the environment, unless --issuer names another server', async t => {
  const [ISSUER, other] = [await nowhere(), await nowhere()]
  const login = async (env: Record<string, string>, ...args: string[]) => await run(['login', ...args], env)
  t.match(await login({ ISSUER }), { code: 1, stderr: `The server at ${ISSUER}/ ` })
  t.match(await login({ ISSUER }, '--issuer', other), { code: 1, stderr: `The server at ${other}/ ` })
  t.match((await login({ ISSUER: 'http://login.example' })).stderr, /^The issuer \(--issuer or ISSUER\) must begin with https:/)
  t.match((await login({}, '--help')).stdout, /env:\s+ISSUER/)
})
