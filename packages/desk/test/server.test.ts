import { launch } from '@frontdesk/test-kit/server-process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const SERVER = fileURLToPath(new URL('../bundle/server.js', import.meta.url))

t.test('the process listens, logs requests as JSON, and ends with 0 when it is told to stop', async t => {
  const { child, exit, log, errors, listening } = launch(t, SERVER, {})
  const address = await listening()
  t.equal((await fetch(`${address}/health/ready`)).status, 200)
  t.match(await (await fetch(`${address}/`)).text(), '<div id="page">')
  child.kill('SIGTERM')
  t.same(await exit, [0, null])
  const lines = log().map(line => JSON.parse(line) as Record<string, unknown>)
  t.match(lines.filter(({ msg }) => msg === 'request'), [{ service: 'desk', method: 'GET', path: '/', status: 200 }], 'probes are not logged')
  t.equal(errors(), '')
})

t.test('in production it does not start without its addresses, and says what to set', async t => {
  const { exit, errors } = launch(t, SERVER, { ENVIRONMENT: 'production' })
  t.same(await exit, [1, null])
  t.match(errors(), /^ISSUER must be set in production: .*\nCUSTOMER_URL must be set in production: .*\nCLIENT_ID must be set in production: .*\n$/)
})
