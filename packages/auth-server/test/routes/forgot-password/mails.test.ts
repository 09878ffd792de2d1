import { setImmediate } from 'node:timers/promises'
import t from 'tap'
// What it adds to Fastify's types.
import type {} from '../../../src/plugins/audit.js'
import { Browser, build } from '../../support/helper.js'

const LOCAL = { ISSUER: 'http://localhost:3000' }

t.test('in development, mails are shown at /mails, to this machine only', async t => {
  const { app, stores } = await build(t, LOCAL)
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const browser = new Browser(app, '127.0.0.1')
  t.match((await browser.get('/mails')).body, 'No emails yet.')
  await browser.post('/forgot-password', { username: 'ann' })
  let page = await browser.get('/mails')
  while (!page.body.includes('Set a new password')) {
    await setImmediate()
    page = await browser.get('/mails')
  }
  const link = /href="(http:\/\/localhost:3000\/set-password\?link=[^"]+)"/.exec(page.body)?.[1] ?? ''
  t.match(await browser.get(link.replace('http://localhost:3000', '')), { statusCode: 200, body: /<strong>ann<\/strong>/ })

  for (const [name, changes] of [
    ['another machine', { remoteAddress: '192.0.2.1' }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['a name of another site for this machine', { headers: { host: 'evil.example' } }]
  ] as const) {
    const answer = await app.inject({ url: '/mails', remoteAddress: '127.0.0.1', ...changes })
    t.equal(answer.statusCode, 404, name)
  }
})

t.test('mails are shown only by a server that only this machine reaches, in development and without a mail server', async t => {
  for (const env of [
    { ...LOCAL, HOST: '0.0.0.0' },
    { ISSUER: 'https://id.example' },
    { ...LOCAL, SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@b.example' },
    { ...LOCAL, ENVIRONMENT: 'production', SECRET_KEY: 'kT3vBq8LxZpM1nRw6YcJ0sHd4GfUaEoI' }
  ]) {
    const { app } = await build(t, env)
    t.equal((await app.inject({ url: '/mails', remoteAddress: '127.0.0.1', headers: { host: 'localhost' } })).statusCode, 404)
  }
})
