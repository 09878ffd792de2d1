import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { warnOfFewFiles } from '../src/open-files.js'

t.test('the limit is read without a question to DNS, which may take many seconds', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // as: a server that listens on a port has such an address.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(client, 'connect')
  t.teardown(() => { client.destroy(); server.close() })

  const { getReport } = process.report
  t.teardown(() => { process.report.getReport = getReport })
  let names: string[] = []
  process.report.getReport = () => {
    // as: what Node.js documents of a report.
    const report = getReport.call(process.report) as unknown as {
      libuv: { type: string, localEndpoint?: { host: string, ip4: string } | null }[]
    }
    names = report.libuv.flatMap(handle => handle.type === 'tcp' && handle.localEndpoint ? [handle.localEndpoint.host] : [])
    return report
  }
  warnOfFewFiles()
  t.ok(names.length > 0, 'the report has sockets')
  t.match(names, names.map(() => /^[0-9.]+$/), 'and their addresses, not the names that DNS has for them')
})
