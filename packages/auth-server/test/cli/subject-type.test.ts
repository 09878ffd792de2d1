import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sectorOf, whyNotSubject, type WrittenSubject } from '../../src/registration/sector.js'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'

const CALLBACK = ['--callback', 'https://shop.example/cb']

t.test('the sector is the host of the callbacks; several hosts, or none, need a sector identifier', async t => {
  const [one, two] = [['https://shop.example/a', 'https://shop.example:8443/b'], ['https://shop.example/a', 'https://news.example/b']]
  const pairwise = (sectorIdentifier: string | null = null): WrittenSubject => ({ subjectType: 'pairwise', sectorIdentifier })
  t.equal(sectorOf(pairwise(), one), 'shop.example')
  t.equal(sectorOf(pairwise('all.example'), two), 'all.example')
  t.equal(sectorOf({ subjectType: 'public', sectorIdentifier: null }, one), null)
  t.equal(whyNotSubject(pairwise(), one), null)
  t.match(whyNotSubject(pairwise(), two)?.sentence, /^The callbacks have 2 hosts: .* needs a sector identifier/)
  for (const none of [[], ['com.example.app:/cb']]) t.match(whyNotSubject(pairwise(), none)?.sentence, /^The callbacks have 0 hosts/)
  for (const wrong of ['', 'Shop.example', 'https://shop.example', 'shop.example/', '-a', 'a b']) t.match(whyNotSubject(pairwise(wrong), one)?.sentence, /^The sector/)
  t.match(whyNotSubject({ subjectType: 'public', sectorIdentifier: 'shop.example' }, one)?.sentence, 'needs the subject type pairwise')
})

t.test('client add and update set the subject type and what signs /userinfo; show and export tell, without the salt', async t => {
  const { cli, stores } = await onDatabase(t)
  const add = cli(['client', 'add', 'shop', '--name', 'Shop', ...CALLBACK, '--subject-type', 'pairwise', '--userinfo-alg', 'ES256', '--json'])
  t.match(JSON.parse(add.stdout), { subjectType: 'pairwise', sectorIdentifier: 'shop.example', userinfoSignedResponseAlg: 'ES256' })
  t.notMatch(add.stdout, /salt/i)
  t.match(cli(['client', 'show', 'shop']).stdout, /Userinfo .*JWT, signed with ES256\n.*pairwise, the same for all clients of the sector shop\.example/)
  t.match(cli(['client', 'show', 'shop', '--for', 'openid-client']).stdout, "userinfo_signed_response_alg: 'ES256'")
  const update = (...options: string[]) => cli(['client', 'update', 'shop', ...options])
  t.match(update('--callback', 'https://new.example/cb', '--callback', 'https://shop.example/cb'), { code: 0 }, 'the sector stays')
  const moved = /Changed the client "shop"\. It sees another sub of each user from now on\. Its access ends within ten seconds\./
  t.match(update('--sector-identifier', 'all.example', '--no-userinfo-alg'), { code: 0, stdout: moved })
  t.notMatch(update('--sector-identifier', 'all.example').stdout, 'Its access ends')
  t.match(await stores.clients.find('shop'), { sectorIdentifier: 'all.example', userinfoSignedResponseAlg: null })
  t.match(cli(['export']).stdout, /subjectType: pairwise\n +sectorIdentifier: all\.example/)
  t.match(update('--subject-type', 'public'), { code: 0 })
  t.match(await stores.clients.find('shop'), { sectorIdentifier: null })
  t.match(update('--sector-identifier', 'all.example'), { code: 1, stderr: 'needs the subject type pairwise' })
  t.match(update('--subject-type', 'pairwise'), { code: 1, stderr: 'The callbacks have 2 hosts' })
})

t.test('a file of apps has the subject type, and derives the sector', async t => {
  const { cli, stores } = await onDatabase(t)
  const file = join(folder(t), 'clients.yaml')
  const apply = (lines: string) => {
    writeFileSync(file, `clients:\n  - clientId: shop\n    name: Shop\n    callbacks: [https://shop.example/cb]\n${lines}`)
    return cli(['apply', '-f', file])
  }
  t.match(apply('    subjectType: pairwise\n    userinfoSignedResponseAlg: RS256\n'), { code: 0, stdout: '1 added' })
  t.match(await stores.clients.find('shop'), { sectorIdentifier: 'shop.example', userinfoSignedResponseAlg: 'RS256' })
  t.match(apply('    subjectType: pairwise\n    userinfoSignedResponseAlg: RS256\n'), { stdout: '1 unchanged' })
  t.match(apply('    sectorIdentifier: shop.example\n'), { code: 1, stderr: 'A sector identifier needs the subject type pairwise.' })
  t.match(apply('    subjectType: some\n'), { code: 1, stderr: 'clients.yaml:5' })
})
