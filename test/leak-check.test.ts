import t from 'tap'
import { LeakCheck } from './support/leak-check.js'

const token = `eyJ0eXAiOiJhdCtqd3QifQ.${Buffer.from('{"sub":"1"}').toString('base64url')}.c2lnbmF0dXJl`
const clean = ['{"level":30,"method":"POST","path":"/consent","status":303,"msg":"request"}', 'Server listening at http://127.0.0.1:3000']

await t.test('the leak check finds a planted', async t => {
  const cookies = ['session-3000=0123456789abcdef0123456789abcdef; Path=/; HttpOnly']
  const answers = { given: { location: `https://app.example/callback#access_token=${token}&state=x`, cookies } }
  const lines = {
    'access token that it saw': `token: ${token}`,
    'access token that it never saw': 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
    password: '{"msg":"sign-in","password":"Erikas geheimes Passwort"}',
    'password in a form': 'body: username=erika&password=Erikas+geheimes+Passwort',
    'password in an address': 'GET /?password=Erikas%20geheimes%20Passwort',
    'authorization request': 'GET /authorize?response_type=token&state=mine',
    cookie: 'cookie: session-3000=0123456789abcdef0123456789abcdef'
  }
  for (const [name, line] of Object.entries(lines)) {
    await t.test(`${name} in a log line, also if it learns of the secret later`, async t => {
      const leakCheck = new LeakCheck()
      for (const text of [...clean, line, ...clean]) leakCheck.line(text)
      leakCheck.secret('Erikas geheimes Passwort')
      leakCheck.answer(answers.given)
      t.same(leakCheck.findings(), [`A log line holds a secret: ${line}`])
      t.same(leakCheck.seen, { lines: 5, locations: 1, tokens: 1 })
    })
  }

  await t.test('secret in what a command prints, which may show an authorization request', async t => {
    const leakCheck = new LeakCheck()
    for (const line of ['  http://localhost:3000/authorize?response_type=code&state=mine', `token: ${token}`]) leakCheck.printed(line)
    t.same(leakCheck.findings(), [`A command printed a secret: token: ${token}`])
  })

  const locations = {
    'token in a query': `https://app.example/callback?access_token=${token}`,
    'token in a query beside a fragment': `https://app.example/callback?access_token=opaque#access_token=${token}`,
    'token in a path': `https://app.example/${token}`
  }
  for (const [name, location] of Object.entries(locations)) {
    await t.test(`${name} of a Location`, async t => {
      const leakCheck = new LeakCheck()
      leakCheck.answer({ location, cookies: [] })
      t.same(leakCheck.findings(), [`A Location holds a secret before its fragment: ${location}`])
    })
  }
})

await t.test('the leak check finds nothing in a clean run', async t => {
  const leakCheck = new LeakCheck()
  for (const line of clean) leakCheck.line(line)
  leakCheck.secret('Erikas geheimes Passwort')
  leakCheck.answer({ location: `https://app.example/callback#access_token=${token}`, cookies: ['session-3000=; Max-Age=0'] })
  leakCheck.answer({ location: null, cookies: [] })
  t.same(leakCheck.findings(), [])
})

await t.test('the leak check takes no secret that is an ordinary word', async t => {
  t.throws(() => new LeakCheck().secret('demo'), RangeError)
})
