import { PNG, SVG, WEBP } from '@frontdesk/test-kit/images'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'
import { client } from '../support/helper.js'

const URL = `data:image/png;base64,${PNG.toString('base64')}`

t.test('client add and update take a logo, show tells its type and size, export and apply carry it', async t => {
  const { cli, stores } = await onDatabase(t)
  const inFolder = folder(t)
  const file = (name: string, content: Buffer | string) => {
    writeFileSync(join(inFolder, name), content)
    return join(inFolder, name)
  }
  const png = file('logo.png', PNG)
  t.match(cli(['client', 'add', 'shop', '--name', 'Shop', '--callback', 'https://shop.example/cb', '--logo', png]), { code: 0 })
  t.match(cli(['client', 'show', 'shop']).stdout, `Logo            image/png, ${PNG.length} bytes\n`)
  t.match(JSON.parse(cli(['client', 'show', 'shop', '--json']).stdout).logo, /^[\w-]{43}\.png$/)
  const update = (...options: string[]) => cli(['client', 'update', 'shop', ...options])
  t.match(update('--name', 'The shop'), { code: 0 })
  t.match(update('--logo', file('logo.webp', WEBP)), { code: 0 })
  t.match(cli(['client', 'show', 'shop']).stdout, 'image/webp')
  const rows: Array<[path: string, sentence: string]> = [
    [file('logo.svg', SVG), 'is not an image in the format PNG or WebP.'],
    [file('large.png', Buffer.concat([PNG, Buffer.alloc(32_768)])), 'is larger than 32 KB.'],
    [join(inFolder, 'none.png'), 'cannot be read: there is no such file']
  ]
  for (const [path, sentence] of rows) t.match(update('--logo', path), { code: 1, stderr: sentence }, path)
  t.match((await stores.clients.find('shop'))?.logoName, /webp$/)

  const yaml = join(inFolder, 'clients.yaml')
  const apply = (text: string, ...options: string[]) => {
    writeFileSync(yaml, text)
    return cli(['apply', '-f', yaml, ...options])
  }
  const exported = cli(['export']).stdout
  t.match(exported, `logo: data:image/webp;base64,${WEBP.toString('base64')}\n`)
  t.match(apply(exported).stdout, '1 unchanged')
  const other = exported.replace(/logo: .*/, `logo: ${URL}`)
  t.match(apply(other).stdout, `~ shop\n    logo: image/webp, ${WEBP.length} bytes → image/png, ${PNG.length} bytes\n`)
  t.match(apply(other).stdout, '1 unchanged')
  t.match(apply(exported.replace(/ +logo: .*\n/, ''), '--diff').stdout, `    logo: image/png, ${PNG.length} bytes → null\n`)
  for (const wrong of ['logo.png', 'https://shop.example/logo.png', `data:image/svg+xml;base64,${SVG.toString('base64')}`, 'data:image/png;base64,AAAA']) {
    t.match(apply(exported.replace(/logo: .*/, `logo: ${wrong}`)), { code: 1, stderr: 'The logo must be a PNG or WebP file as a data: URL' }, wrong)
  }
  const large = Buffer.concat([PNG, Buffer.alloc(32_768)]).toString('base64')
  t.match(apply(exported.replace(/logo: .*/, `logo: data:image/png;base64,${large}`)), { code: 1, stderr: 'The logo is larger than 32 KB.' })
  t.match(update('--no-logo'), { code: 0 })
  t.match(cli(['client', 'show', 'shop']).stdout, /Logo +none\n/)
})

t.test('an app that registered itself gets a logo only after an operator has adopted it', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.clients.put(client({ registeredBy: 'open', grantTypes: ['authorization_code'], implicit: 'off' }))
  const path = join(folder(t), 'logo.png')
  writeFileSync(path, PNG)
  t.match(cli(['client', 'update', 'app', '--logo', path]), { code: 1, stderr: 'frontdesk-auth client adopt <client_id>' })
  t.match(cli(['client', 'adopt', 'app']), { code: 0 })
  t.match(cli(['client', 'update', 'app', '--logo', path]), { code: 0 })
})
