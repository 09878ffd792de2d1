import { workbookParts, zip } from '@frontdesk/test-kit/workbook'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows } from '../../support/import-rows.js'
import { lockCustomers } from '../../support/lock-customers.js'

export const onBothDatabases = true

const row = (values: readonly string[]) => `<row>${values.map(value => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('')}</row>`

t.test('imports and undos that take longer than a connection may be idle are answered', async t => {
  const service = await build(t)
  const { operation } = await importFile(service, HEADER + rows(1, 1))
  const lines = (HEADER + rows(3, 3)).trim().split('\n').map(line => line.split(','))
  const workbook = await zip(workbookParts({ Customers: { rows: lines.map(row).join('') } }))
  const requests: Array<[path: string, file: { body: string | Buffer, type: string } | undefined, report: object]> = [
    ['/import', { body: HEADER + rows(2, 2), type: 'text/csv' }, { registered: 1 }],
    ['/import', { body: workbook, type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }, { registered: 1 }],
    [`/operations/${operation}/undo`, undefined, { reverted: 1 }]
  ]
  const port = await service.listen()
  service.http.server.setTimeout(100)
  for (const [path, file, report] of requests) {
    const unlock = await lockCustomers(service.config.databaseUrl)
    const response = fetch(`http://127.0.0.1:${port}${PATH}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.everything}`, ...file && { 'content-type': file.type } },
      ...file && { body: file.body }
    })
    await setTimeout(500)
    await unlock()
    t.match(await (await response).json(), report, path)
  }
  t.equal(service.http.server.timeout, 100)
})
