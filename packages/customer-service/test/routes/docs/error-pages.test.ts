import { PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import t from 'tap'
import { PATH, buildOnce } from '../../support/helper.js'

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

t.test('a browser gets a page for every error, and a program a problem', async t => {
  const { send } = await buildOnce(t)
  const paths: Array<[url: string, status: number]> = [
    ['/nothing', 404],
    ['/problems/nothing', 404],
    [`${PATH}/1`, 401],
    [PATH, 401],
    [`${PATH}/%ZZ`, 401],
    ['/rest', 404]
  ]
  for (const [url, status] of paths) {
    for (const accept of [CHROME, 'text/html']) {
      const page = await send('GET', url, { token: null, headers: { accept, 'x-request-id': 'reference-1' } })
      t.match([page.statusCode, page.headers['content-type']], [status, 'text/html; charset=utf-8'], `${url} ${accept}`)
      t.match(page.body, /<h1>.*href="\/problems\/[a-z-]+".*Reference: <code>reference-1</s, url)
      t.match(page.headers, { 'content-security-policy': /^default-src 'none'; style-src 'sha256-/, 'cache-control': 'no-store' })
    }
    for (const accept of [
      '*/*',
      'application/json',
      'text/plain',
      'application/json, text/plain, */*',
      'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
      undefined
    ]) {
      const problem = await send('GET', url, { token: null, headers: accept === undefined ? {} : { accept } })
      t.match([problem.statusCode, problem.headers['content-type']], [status, `${PROBLEM_MEDIA_TYPE}; charset=utf-8`], `${url} ${accept}`)
    }
  }
  const withToken = await send('GET', `${PATH}/1`, { headers: { accept: CHROME } })
  t.match(
    [withToken.statusCode, withToken.headers['content-type']],
    [404, `${PROBLEM_MEDIA_TYPE}; charset=utf-8`],
    'what has a token is a program'
  )
})

t.test('what a page says of a request is inert', async t => {
  const { send } = await buildOnce(t)
  const { body } = await send('GET', `${PATH}?sort=<script>alert(1)</script>`, { token: null, headers: { accept: CHROME } })
  t.notMatch(body, '<script')
})

t.test('browsers find an icon at the origin', async t => {
  const { send } = await buildOnce(t, { SERVICE_ROOT: 'https://api.example/below' })
  const icon = await send('GET', '/favicon.ico', { token: null })
  t.match([icon.statusCode, icon.headers['content-type']], [200, 'image/x-icon'])
})
