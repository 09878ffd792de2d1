import fc from 'fast-check'
import t from 'tap'
import { classifyMismatch, whyNotCallback } from '../../src/oauth/redirect-uri.js'

t.test('callbacks that may be registered', async t => {
  for (const uri of [
    'https://app.example/cb',
    'https://app.example',
    'https://app.example/',
    'https://app.example:443/cb',
    'https://app.example:8443/a/b?c=d%20e',
    'https://xn--bcher-kva.example/cb',
    'http://localhost/cb',
    'http://localhost:3002/callback',
    'http://127.0.0.1:1/',
    'http://[::1]:8080/cb',
    'com.example.app:/oauth',
    'com.example.app://oauth/cb',
    'https://app.example/a%2Fb',
    'https://app.example/a..b/...',
    'https://[::1]:443/cb',
    'https://app.example:/cb',
    'https://app.example:80/cb',
    'http://localhost:443/cb',
    'https://app.example/'.padEnd(2_000, 'x')
  ]) { t.equal(whyNotCallback(uri, []), null, uri) }
})

t.test('callbacks that may not be registered, each with a sentence (RFC 6749 §3.1.2, RFC 8252 §7)', async t => {
  for (const uri of [
    '',
    'x',
    '/cb',
    '//app.example/cb',
    'https:',
    'https://',
    'https:app.example/cb',
    'https:/app.example/cb',
    'https://app.example/cb#',
    'https://app.example/cb#x',
    'https://me@app.example/cb',
    'https://me:pw@app.example/cb',
    'https://@app.example/cb',
    'https://app.example\\cb',
    'https://app.example/c b',
    'https://app.example/\tcb',
    'https://app.example/cb\r\n',
    'https://app.example/\0',
    'https://bücher.example/cb',
    'https://app.example/é',
    'HTTPS://app.example/cb',
    'https://APP.example/cb',
    'https://app.example/%',
    'https://app.example/%zz',
    'https://app.example/<x>',
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.2/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://app.example/1',
    'myapp:/cb',
    'ftp://app.example/cb',
    'https://app.example/../cb',
    'https://app.example/a/./cb',
    'https://app.example/%2e%2e/cb',
    'https://app.example/a/..',
    'https://app.example/a%2f..%2fcb',
    'https://app.example/cb?code=1',
    'https://app.example/cb?x=1&access_token=2',
    'https://app.example/cb?error',
    'https://app.example/cb?%73tate=1',
    'https://app.example/cb?iss=x',
    'https://*.app.example/cb"',
    `https://app.example/${'x'.repeat(2000)}`,
    'https://0x7f.1/cb',
    'https://*/cb',
    'https://*.app.example/cb',
    'https://a;b.example/cb',
    'https://a,b/cb',
    "https://a'b/cb",
    'https://app.example:99999/cb',
    'https://app.example/'.padEnd(2_001, 'x'),
    'https://app.example/%az',
    'HTTPS://app.example/cb?u=https://app.example/',
    'Com.example.app:/cb',
    'myapp:/com.example:x',
    'com.example.app:../cb',
    'com.example.app:..',
    ...[
      'access_token',
      'token_type',
      'expires_in',
      'scope',
      'code',
      'state',
      'iss',
      'id_token',
      'error',
      'error_description',
      'error_uri',
      'response'
    ].map(name => `https://app.example/cb?${name}=x`)
  ]) { t.match(whyNotCallback(uri, [])?.sentence, /^[A-Z].*\.$/, uri.slice(0, 60)) }
})

t.test('a callback with a user name or a password is refused for that reason', async t => {
  for (const uri of ['https://me@app.example/cb', 'https://me:pw@app.example/cb', 'https://@app.example/cb']) {
    t.equal(whyNotCallback(uri, [])?.sentence, 'The callback holds a user name or password.', uri)
  }
})

t.test('what is accepted is a plain address that keeps its bytes', async t => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.string(),
        fc.webPath().map(path => `https://a.example${path}`)
      ),
      uri => {
        if (whyNotCallback(uri, []) !== null) return
        const { href, username, password, hash } = new URL(uri)
        t.ok(username === '' && password === '' && hash === '' && !uri.includes('#'))
        t.ok(
          href === uri ||
            href === `${uri}/` ||
            uri.includes(':443') ||
            uri.includes(':80') ||
            new URL(href).pathname === new URL(uri).pathname,
          uri
        )
      }
    )
  )
})

t.test('two different addresses always have a class of difference; without a registered one there is none', async t => {
  t.equal(classifyMismatch('https://a.example', []), undefined)
  t.equal(classifyMismatch('https://a.example/cb/', ['http://b.example', 'https://a.example/cb']), 'trailing slash', 'the most alike')
  const base = 'https://app.example:8443/cb/a?b=cd'
  const rows: Array<[requested: string, difference: string]> = [
    [`${base}/`, 'trailing slash'],
    ['https://app.example:8443/CB/a?b=cd', 'case'],
    ['https://app.example:8443/cb/%61?b=cd', 'encoding'],
    [`${base}#`, 'fragment'],
    [`${base}#x`, 'fragment'],
    ['https://app.example:8443/cb/a?b=ce', 'query'],
    ['https://app.example:8443/cb/a', 'query'],
    ['https://app.example:8443/cb/b?b=cd', 'path'],
    ['https://app.example:8443?b=cd', 'path'],
    ['https://app.example:8444/cb/a?b=cd', 'port'],
    ['https://app.example/cb/a?b=cd', 'port'],
    ['https://app.example:8443x/cb/a?b=cd', 'host'],
    ['https://app.exampl:8443/cb/a?b=cd', 'host'],
    ['https://bpp.example:8443/cb/a?b=cd', 'host'],
    ['http://app.example:8443/cb/a?b=cd', 'scheme'],
    ['//app.example:8443/cb/a?b=cd', 'scheme'],
    ['cb', 'scheme'],
    ['https:/cb/a?b=cd', 'host'],
    ['', 'scheme']
  ]
  for (const [requested, difference] of rows) {
    t.equal(classifyMismatch(requested, [base]), difference, requested)
    t.equal(classifyMismatch(base, [requested]), difference, `the other way round: ${requested}`)
  }
  t.equal(classifyMismatch('com.example.app:/cb', ['com.example.app:/cc']), 'path')
  t.equal(classifyMismatch('https://a.example/%', ['https://a.example/b%']), 'path', 'what cannot be decoded')
  t.equal(classifyMismatch('https://a\nb:1/', ['https://a\nb:2/']), 'port')
  t.equal(classifyMismatch('https://a.example/x', ['http://b.example', 'https://a.example/y']), 'path')
  fc.assert(fc.property(fc.string(), fc.webUrl(), (requested, registered) => {
    t.ok(requested === registered || typeof classifyMismatch(requested, [registered]) === 'string')
  }))
})
