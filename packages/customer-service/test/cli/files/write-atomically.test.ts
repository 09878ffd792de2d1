import { temporaryFolder } from '@frontdesk/test-kit/database'
import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeAtomically } from '../../../src/cli/files/write-atomically.js'

const noLinks: typeof link = async () => { throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' }) }

for (const [title, makeLink] of [['a file system with hard links', link], ['one without', noLinks]] as const) {
  t.test(`a file that is made meanwhile is replaced only if it may be, and the new one is kept: ${title}`, async t => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'a.csv')
    const write = async (isReplaced: boolean, work = async () => {}) =>
      await writeAtomically(file, isReplaced, async write => { await write(Buffer.from('new')); await work() }, makeLink)
    const make = async () => { await writeFile(file, 'mine') }

    const { message } = await write(false, make).then(() => new Error('It was replaced.'), (error: Error) => error)
    t.equal(await readFile(file, 'utf8'), 'mine')
    const [, kept = ''] = /^\S+a\.csv exists now, and was not replaced\. The complete file is (\S+)\.$/.exec(message) ?? []
    t.equal(await readFile(kept, 'utf8'), 'new', message)
    t.equal((await readdir(folder)).length, 2)

    await write(true, make)
    t.equal(await readFile(file, 'utf8'), 'new')
  })

  t.test(`a new file has its name once it is complete, and no other: ${title}`, async t => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'a.csv')
    await writeAtomically(file, false, async write => {
      await write(Buffer.from('new'))
      t.notOk((await readdir(folder)).includes('a.csv'))
    }, makeLink)
    t.equal(await readFile(file, 'utf8'), 'new')
    if (process.platform !== 'win32') t.equal((await stat(file)).mode & 0o777, 0o600)
    t.same(await readdir(folder), ['a.csv'])
  })
}
