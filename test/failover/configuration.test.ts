import t from 'tap'
import { read } from '../support/sources.js'
import { proxyConfig } from '../support/failover/configuration.js'

await t.test('the configuration of HAProxy that operators are given is the one that the failovers are run with', async t => {
  const [documented] = /^listen postgresql\n.*?(?=^```)/ms.exec(read('docs/operations/postgresql.md')) ?? []
  const servers = ['db1', 'db2'].map(name => ({ name, port: 5432, rest: 8008 }))
  const [, run] = proxyConfig(5000, servers).split('\n\n').map(part => `${part.trimEnd()}\n`).filter(part => !part.startsWith('global'))
  t.equal(run?.replaceAll(/(server (\w+) )127\.0\.0\.1/g, '$1$2.internal'), documented)
})
