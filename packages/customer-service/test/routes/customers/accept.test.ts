import t from 'tap'
import { PATH, buildOnce } from '../../support/helper.js'

t.test('GET gives text/plain, application/json where it is asked for alone or with a higher quality, or 406', async t => {
  const { send, register } = await buildOnce(t)
  await register(1)
  const text = 'text/plain; charset=utf-8'
  const json = 'application/json; charset=utf-8'
  const table: Array<[accept: string, type: string | null]> = [
    ['*/*', text],
    ['text/*', text],
    ['text/plain', text],
    ['Text/Plain', text],
    ['text/plain; charset=utf-8', text],
    ['application/json, text/plain, */*', text], // axios, AngularJS, Angular
    ['application/json, text/plain, */*;q=0.1', text],
    ['application/json, text/javascript, */*; q=0.01', json], // jQuery, dataType json
    ['application/json, */*;q=0.5', json], // HTTPie with a body
    ['application/json, */*', text],
    ['*/*, application/json', text],
    ['application/json, text/plain', text],
    ['application/json;q=0.9, text/plain;q=0.9', text],
    ['application/json;q=0.9, text/plain;q=0.8', json],
    ['application/json;q=0.9, text/*;q=0.8, */*', json],
    ['application/json;q=0.2, */*;q=0.3', text],
    ['text/plain, application/json;q=1', text],
    ['application/*;q=0.5, text/*;q=0.5', text],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', text], // java.net.URLConnection
    ['text/plain; charset="UTF-8", application/json', text],
    ['text/plain;format=flowed, application/json', json],
    ['application/json;q=1.000, text/plain;q=0.999', json],
    ['application/json;q=0, text/plain;q=0, */*', null],
    [',,application/json,', json],
    ['', text],
    [' , ', text],
    ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', text],
    ['application/json', json],
    ['application/*', json],
    ['application/json; charset=utf-8', json],
    ['application/json, text/plain;q=0.5', json],
    ['text/plain;q=0.5, application/json', json],
    ['application/json;q=0.5, text/plain', text],
    ['text/plain;q=0, */*', json],
    ['application/xml', null],
    ['text/html', null],
    ['text/plain; charset=iso-8859-1', null],
    ['text/plain;q=0', null],
    ['image/*, application/json;q=0', null],
    ['nonsense', null]
  ]
  for (const [accept, type] of table) {
    const { statusCode, headers } = await send('GET', `${PATH}/1`, { headers: { accept } })
    t.equal(statusCode, type === null ? 406 : 200, accept)
    t.match(headers.vary, /Accept/, accept)
    if (type !== null) t.equal(headers['content-type'], type, accept)
  }
  t.equal((await send('GET', `${PATH}/1`)).headers['content-type'], text, 'without Accept')
  const record = await send('GET', `${PATH}/1`, { headers: { accept: 'application/json' } })
  t.same(record.json(), { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' })
})

t.test('Cache-Control is private, no-cache on GET and no-store on writes and errors; nosniff everywhere', async t => {
  const { send, register } = await buildOnce(t)
  await register(1)
  const move = { customername: 'charitha', customeraddress: 'x' }
  const table: Array<[method: string, path: string, request: object, cache: string]> = [
    ['GET', `${PATH}/1`, {}, 'private, no-cache'],
    ['PUT', PATH, { form: move }, 'no-store'],
    ['POST', PATH, { form: { ...move, customerid: 2, customerage: 1 } }, 'no-store'],
    ['GET', `${PATH}/404`, {}, 'no-store'],
    ['GET', `${PATH}/1`, { token: null }, 'no-store'],
    ['GET', '/nowhere', {}, 'no-store'],
    ['DELETE', `${PATH}/1`, {}, 'no-store'],
    ['GET', '/health/ready', {}, 'no-store'],
    ['OPTIONS', PATH, {}, 'no-store']
  ]
  for (const [method, path, request, cache] of table) {
    const { headers } = await send(method, path, request)
    t.equal(headers['cache-control'], cache, `${method} ${path}`)
    t.equal(headers['x-content-type-options'], 'nosniff', `${method} ${path}`)
  }
})
