import { ConfigError } from '@frontdesk/service-kit/settings'
import fc from 'fast-check'
import t from 'tap'
import { loadCallbackSchemes, loadConfig } from '../../src/config.js'
import { RESERVED_SCHEMES } from '../../src/settings/registration.js'
import { describeDestination } from '../../src/oauth/describe-destination.js'
import { asDescription, shortOf } from '../../src/oauth/error-text.js'
import { whyNotCallback } from '../../src/oauth/redirect-uri.js'
import { readClientDocument } from '../../src/registration/read-client-document.js'

const admitted = ['cursor', 'vscode-insiders']

t.test('a private-use scheme without a dot is admitted only if the operator names it, byte for byte', async t => {
  for (const uri of ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:/cb', 'cursor:cb', 'vscode-insiders://x/y?z=1']) {
    t.equal(whyNotCallback(uri, admitted), null, uri)
    t.match(whyNotCallback(uri, [])?.sentence, /^The scheme of the callback must be https, .*\(RFC 8252 §7\.1\)\.$/, uri)
  }
  t.match(whyNotCallback('other:/cb', admitted)?.sentence, /, or one that this server admits: cursor, vscode-insiders\.$/)
  for (const uri of [
    'Cursor://x/cb', 'cursor2://x/cb', 'cursor-x:/cb', 'curso://x/cb', 'cursor', 'cursor.:/cb', 'javascript:cursor://x', 'http://cursor/cb'
  ]) t.match(whyNotCallback(uri, admitted)?.sentence, /^[A-Z].*\.$/, uri)
  for (const uri of [
    'cursor://me@x/cb', 'cursor://me:pw@x/cb', 'com.example.app://me@x/cb', 'cursor://x/cb#y', 'cursor:/../cb', 'cursor:/cb?code=1', 'cursor:/c b', 'cursor:/é'
  ]) t.notMatch(String(whyNotCallback(uri, admitted)), /^The scheme|^null/, uri)
})

t.test('a document may have callbacks of an admitted scheme; a refused one is named', async t => {
  const id = 'https://editor.example/client.json'
  const read = (callbackSchemes: readonly string[]) => {
    const text = JSON.stringify({ client_id: id, redirect_uris: ['https://editor.example/cb', 'cursor:/cb'] })
    return readClientDocument(id, { status: 200, type: 'application/json', text }, { allowPrivateNetworks: false, callbackSchemes })
  }
  t.same(read(admitted).callbacks, ['cursor:/cb', 'https://editor.example/cb'])
  t.throws(() => read([]), { kind: 'unreadableClient', message: /^redirect_uris\[1\] \(cursor:\/cb\): The scheme/ })
})

t.test('CALLBACK_SCHEMES names private-use schemes only; anything else stops the start with a sentence', async t => {
  t.same(loadConfig({}).callbackSchemes, [])
  t.same(loadConfig({ CALLBACK_SCHEMES: ' cursor, vscode-insiders' }).callbackSchemes, admitted)
  t.same(loadCallbackSchemes({ CALLBACK_SCHEMES: 'cursor,vscode-insiders', ENVIRONMENT: 'production' }), admitted)
  const wrong = [
    ...RESERVED_SCHEMES, 'cursor:', 'cursor://', 'cursor://x', 'Cursor', 'HTTP', 'com.example.app', 'cursor;windsurf', 'cursor windsurf', 'cursor,', ',', ' ',
    'cursor,,x', 'a', '1password', '*', 'cursor*', 'cürsor', 'x'.repeat(51), 'cursor,javascript'
  ]
  for (const name of ['http', 'https', 'javascript', 'data', 'file', 'blob', 'ftp', 'ws', 'wss', 'vbscript', 'about', 'mailto']) t.ok(wrong.includes(name), name)
  for (const CALLBACK_SCHEMES of wrong) {
    for (const load of [loadConfig, loadCallbackSchemes]) {
      try {
        load({ CALLBACK_SCHEMES })
        t.fail(CALLBACK_SCHEMES)
      } catch (error) {
        t.ok(error instanceof ConfigError)
        t.match(error, { message: /^CALLBACK_SCHEMES must be private-use schemes without a dot, in lower case .*, such as cursor; none of .*https.*\.$/ }, CALLBACK_SCHEMES)
      }
    }
  }
})

t.test('what follows a private-use scheme is not shown as a host', async t => {
  t.equal(describeDestination('https://app.example:8443/cb'), 'app.example:8443')
  t.equal(describeDestination('http://127.0.0.1:1/cb'), '127.0.0.1:1')
  for (const uri of ['cursor://bank.example/cb', 'cursor:/cb']) t.equal(describeDestination(uri), 'an app on this device (cursor:…)')
  t.equal(describeDestination('com.example.app://bank.example/cb'), 'an app on this device (com.example.app:…)')
})

t.test('a description shows any value of a request short and in printable ASCII without quote and backslash (RFC 6749 §5.2)', async t => {
  t.equal(shortOf('cursor://x/cb?a=%20&b'), 'cursor://x/cb?a=%20&b')
  t.equal(shortOf('a "b"\\\n\u202e\ud800é'), 'a%20%22b%22%5C%0A%E2%80%AE%EF%BF%BD%C3%A9')
  t.equal(shortOf('x'.repeat(101)), `${'x'.repeat(100)}...`)
  t.equal(asDescription('See "RFC 8252" §7.1 …'), "See 'RFC 8252' section 7.1 ...")
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), text => {
    for (const shown of [shortOf(text), asDescription(text)]) t.match(shown, /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
    t.ok(shortOf(text).length <= 103)
  }))
})
