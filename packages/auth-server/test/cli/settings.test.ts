import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bin, folder, node, run } from '../support/cli/frontdesk-auth.js'

t.test('settings prints what the server would start with, and no secret', async t => {
  const env = { SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789', DATABASE_URL: 'postgresql://ann:hidden@db.example/auth', PORT: '3100' }
  const { code, stdout, stderr } = run(['settings'], { env })
  t.same([code, stderr], [0, ''])
  t.match(stdout, /^PORT +3100 +environment$/m)
  t.match(stdout, /^ISSUER +http:\/\/localhost:3100 +default$/m)
  t.match(stdout, /^DATABASE_URL +postgresql:\/\/ann:\*\*\*@db\.example\/auth +environment$/m)
  t.match(stdout, /^SECRET_KEY +\*\*\* +environment$/m)
  t.notMatch(stdout + run(['settings', '--json'], { env }).stdout, /hidden|abcdefghijklmnopqrstuvwxyz/)

  const file = join(folder(t), 'auth.env')
  writeFileSync(file, 'SECRET_KEY=abcdefghijklmnopqrstuvwxyz0123456789\n')
  const { stdout: json } = spawnSync(node, [`--env-file=${file}`, bin, 'settings', '--json'], { env: { PATH: process.env.PATH }, encoding: 'utf8' })
  const [setting] = JSON.parse(json).filter((it: { name: string }) => it.name === 'SECRET_KEY')
  t.match(setting, { value: '***', source: 'file', file })

  t.match(run(['settings'], { env: { PORT: 'x' } }), { code: 1, stdout: '', stderr: /PORT must be/ })
})
