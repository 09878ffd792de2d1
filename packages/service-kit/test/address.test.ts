import t from 'tap'
import { isLoopback, isNetwork, isRemoteHttp } from '../src/address.js'

t.test('loopback is localhost, the names below it (RFC 6761 §6.3), 127.0.0.0/8 and ::1', async t => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    '127.0.0.1',
    '127.255.255.254',
    '127.0.0.1.',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1'
  ]) {
    t.ok(isLoopback(host), host)
  }
  for (const host of [
    '',
    'localhost.example',
    'notlocalhost',
    '.localhost',
    '128.0.0.1',
    '127.1',
    '127.0.0.1.example',
    '0.0.0.0',
    '::',
    '[::2]',
    '192.0.2.1',
    '::ffff:192.0.2.1'
  ]) {
    t.notOk(isLoopback(host), host)
  }
})

t.test('http is remote unless its host is loopback', async t => {
  for (const url of ['http://login.example', 'http://10.0.0.1:3000/x', 'HTTP://localhost.example']) t.ok(isRemoteHttp(url), url)
  for (const url of ['https://login.example', 'http://localhost:3000', 'http://[::1]', 'login.example', '']) t.notOk(isRemoteHttp(url), url)
})

t.test('a network is an address with or without a prefix length, or a well-known name', async t => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', '::1', 'fe80::/10', '0.0.0.0/0', 'loopback', 'linklocal', 'uniquelocal']) {
    t.ok(isNetwork(text), text)
  }
  for (const text of ['', '10.0.0.0/99', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '::/129', '10.0.0', 'example.com', 'true']) {
    t.notOk(isNetwork(text), text)
  }
})
