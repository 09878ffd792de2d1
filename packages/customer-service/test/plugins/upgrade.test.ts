import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'
import { exchange, request } from '../support/socket.js'

t.test('after a request to upgrade the connection is closed: the body of the next one is never read as a request', async t => {
  const { listen, send, everything } = await buildOnce(t)
  const port = await listen()
  const form = { customerid: 5, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
  t.equal((await send('POST', PATH, { form })).statusCode, 201)
  const token = `Authorization: Bearer ${everything}`
  const hidden = request(`DELETE ${PATH}/5 HTTP/1.1`, 'Host: localhost', token)
  const body = 'x=1'
  const received = await exchange(port, request(
    `POST ${PATH} HTTP/1.1`, 'Host: localhost', token, 'Connection: Upgrade', 'Upgrade: h2c', `Content-Length: ${body.length}`
  ) + body + request(`GET ${PATH}/5 HTTP/1.1`, 'Host: localhost', token, `Content-Length: ${hidden.length}`), write => { setTimeout(() => write(hidden), 200) })
  t.match(received, /^HTTP\/1\.1 4\d\d [^]*\r\nconnection: close\r\n/i)
  t.equal(received.match(/HTTP\/1\.1/g)?.length, 1)
  t.equal((await send('GET', `${PATH}/5`)).body, 'charitha')
})
