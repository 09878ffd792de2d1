import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import t, { type Test } from 'tap'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { makeKey } from '../support/issuer.js'
import { run } from '../support/cli/frontdesk-customer.js'

const { jwk } = await makeKey()

/** An authorization server with a self-signed TLS certificate; returns its host and port. */
async function start (t: Test, { ip = '127.0.0.1', ...dates }: { ip?: string, notBeforeDate?: Date, notAfterDate?: Date } = {}) {
  const pair = await generate([{ name: 'commonName', value: 'auth' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...dates,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip }] }
    ]
  })
  const server = createServer({ key: pair.private, cert: pair.cert }, (request, response) => {
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ issuer: `https://${at}`, keys: [jwk], revoked: [], next: '0', more: false }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  // as: a server that listens on a port has such an address.
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const NODE_EXTRA_CA_CERTS = join(temporaryFolder(t), 'ca.pem')
  writeFileSync(NODE_EXTRA_CA_CERTS, pair.cert)
  return { at, NODE_EXTRA_CA_CERTS }
}

const look = async (env: Record<string, string>) => {
  const { code, stdout } = await run(['doctor'], { AUDIENCE: 'https://customers.example', DATABASE_URL: 'file:/nowhere/none.db', ...env })
  return { code, told: stdout }
}

t.test('a certificate of an unknown authority; NODE_EXTRA_CA_CERTS, as the remedy says, makes it known', async t => {
  const { at, NODE_EXTRA_CA_CERTS } = await start(t)
  const refused = await look({ ISSUER: `https://${at}` })
  t.equal(refused.code, 1)
  t.match(
    refused.told,
    `✗ The key set at https://${at}/.well-known/jwks.json cannot be trusted: the TLS certificate of ${at} was signed by an unknown authority.\n    Set NODE_EXTRA_CA_CERTS`
  )
  const known = await look({ ISSUER: `https://${at}`, NODE_EXTRA_CA_CERTS })
  t.equal(known.code, 3)
  t.match(known.told, `✓ The key set at https://${at}/.well-known/jwks.json has a key that can be read.`)
})

t.test('a certificate that has ended, one for another name, and TLS where http was written', async t => {
  const day = 86_400_000
  const ended = await start(t, { notBeforeDate: new Date(Date.now() - 3 * day), notAfterDate: new Date(Date.now() - day) })
  const foreign = await start(t, { ip: '127.0.0.9' })
  const rows: Array<[env: Record<string, string>, sentence: string]> = [
    [
      { ISSUER: `https://${ended.at}`, NODE_EXTRA_CA_CERTS: ended.NODE_EXTRA_CA_CERTS },
      `cannot be trusted: the TLS certificate of ${ended.at} has expired, or is not valid yet.`
    ],
    [
      { ISSUER: `https://${foreign.at}`, NODE_EXTRA_CA_CERTS: foreign.NODE_EXTRA_CA_CERTS },
      `cannot be trusted: the TLS certificate of ${foreign.at} is for other names than 127.0.0.1.`
    ],
    [
      { ISSUER: `http://${foreign.at}` },
      `${foreign.at}/.well-known/jwks.json cannot be reached: the connection was closed without a response.\n    If ${foreign.at} speaks TLS, set ISSUER or JWKS_URL to https://`
    ]
  ]
  for (const [env, sentence] of rows) {
    const { code, told } = await look(env)
    t.equal(code, 1, sentence)
    t.match(told, sentence)
  }
})
