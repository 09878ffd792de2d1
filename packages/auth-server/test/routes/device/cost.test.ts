import t from 'tap'
import { countStatements, stopTime } from '@frontdesk/test-kit/cost'
import { askForCodes, deviceClient, poll } from '../../support/device-flow.js'
import { build } from '../../support/helper.js'

export const onBothDatabases = true

t.test('a request of a device costs three statements, and devices that ask at once share four', async t => {
  stopTime(t)
  const { app, stores } = await build(t)
  await stores.clients.put(deviceClient())
  const codes = await Promise.all(Array.from({ length: 16 }, () => askForCodes(app)))
  t.equal(await countStatements(() => askForCodes(app)), 3, 'the limits of the source and of the client, and the codes')
  const ask = async () => await Promise.all(codes.map(({ device_code: code }) => poll(app, code)))
  t.equal(await countStatements(ask), 4, 'a transaction that reads them and records when they asked')
})
