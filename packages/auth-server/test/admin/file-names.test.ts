import t from 'tap'
import { FileNames } from '../../src/admin/file-names.js'

t.test('each name is found again, and no other one is', async t => {
  const names = new FileNames()
  const all = Array.from({ length: 20_000 }, (_, index) => `user${index}`)
  t.same(all.filter(name => names.addOrFind(name)), [], 'none is taken for another one')
  t.same(all.filter(name => !names.addOrFind(name)), [], 'all are found')
  t.equal(names.addOrFind('user20000'), false)
})
