import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { Test } from 'tap'

/** Publishes the metadata document of an assistant, by https. Gives its URL, and the file with the certificate of the authority. */
export async function publishDocument (t: Test, callback: string) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec', extensions: [{ name: 'basicConstraints', cA: true }, { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }]
  })
  const server = createServer({ key, cert }, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ client_id: document, client_name: 'An assistant', redirect_uris: [callback], grant_types: ['authorization_code', 'refresh_token'] }))
  }).listen(0, 'localhost')
  await once(server, 'listening')
  // as: it listens on a port.
  const document = `https://localhost:${(server.address() as AddressInfo).port}/client.json`
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'))
  t.teardown(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })
  const ca = join(folder, 'ca.pem')
  await writeFile(ca, cert)
  return { document, ca }
}
