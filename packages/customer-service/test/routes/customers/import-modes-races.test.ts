import t from 'tap'
import { PATH } from '../../support/helper.js'
import { HEADER, importFile, rows } from '../../support/import-rows.js'
import { buildTwo } from '../../support/two-replicas.js'
import { assertNothingLost } from '../../support/whole-changes.js'

export const onBothDatabases = true

for (const mode of ['update', 'upsert']) {
  t.test(`${mode} of the same file twice and single writes at once: each change begins with what the change before it left`, async t => {
    const [one, two] = await buildTwo(t)
    await importFile(one, HEADER + rows(1, 40))
    for (let round = 0; round < 25; round++) {
      const file = HEADER + rows(1, 40).replaceAll(',33,', `,${round},`)
      const answers = await Promise.all([
        importFile(one, file, { query: `?mode=${mode}` }),
        importFile(one, file, { query: `?mode=${mode}`, key: `${round}` }),
        ...Array.from({ length: 14 }, async (_, lane) => (await two.send(lane % 2 === 0 ? 'DELETE' : 'PATCH', `${PATH}/${lane * 2 + 1}`, {
          ...lane % 2 === 0 ? {} : { form: { customeraddress: `${round}` } }
        })).statusCode)
      ])
      for (const { lines, registered, updated, unchanged, failed } of answers.slice(0, 2)) {
        t.equal(registered + updated + unchanged + failed, lines)
        if (mode === 'upsert') t.equal(failed, 0)
        else t.equal(registered, 0)
      }
      t.ok(answers.slice(2).every(status => status === 204 || status === 404), `${answers.slice(2)}`)
    }
    await assertNothingLost(t, one)
  })
}

t.test('two imports that match names register each name once, while customers are renamed', async t => {
  const [one, two] = await buildTwo(t)
  const query = '?mode=upsert&match=name&map=customerid:auto'
  for (let round = 0; round < 25; round++) {
    const file = 'customername,customerage,customeraddress\n' +
      Array.from({ length: 30 }, (_, index) => `name ${index % 2 === 0 ? index : `${round}.${index}`},${round},x\n`).join('')
    const [first, second] = await Promise.all([
      importFile(one, file, { query }),
      importFile(two, file, { query }),
      ...Array.from({ length: 8 }, (_, lane) =>
        two.send('PATCH', `${PATH}/${lane + 1}`, { form: { customername: `name ${round} of ${lane}` } }))
    ])
    t.match([first.failed, second.failed], [0, 0])
  }
  const names = (await one.db.customer.findMany({ select: { name: true } })).map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  await assertNothingLost(t, one)
})
