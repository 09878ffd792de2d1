import { PNG, WEBP } from '@frontdesk/test-kit/images'
import t from 'tap'
import { codeClient, codeQuery } from '../support/code-flow.js'
import { countRows } from '../support/database.js'
import { askForCodes, deviceClient, enter } from '../support/device-flow.js'
import { Browser, build, client } from '../support/helper.js'
import { parseImage } from '@frontdesk/service-kit/image'

export const onBothDatabases = true

const [png, webp] = [PNG, WEBP].map(content => parseImage(content, ['PNG', 'WebP'])!) as [NonNullable<ReturnType<typeof parseImage>>, NonNullable<ReturnType<typeof parseImage>>]

t.test('the logo of an app is on the pages that name it, comes from this server, and changes its address with its content', async t => {
  const { app, stores } = await build(t, { ISSUER: 'https://id.example/id' })
  await stores.clients.put(codeClient({ logo: png }))
  await stores.clients.put(deviceClient({ logo: png }))
  const browser = new Browser(app)
  const address = `/id/logos/${png.name}`
  const picture = `<img class="app-logo plate" src="${address}" alt="">\n<h`
  const consent = await browser.get(`/id/consent?${codeQuery()}`)
  t.match(consent, { statusCode: 200, headers: { 'content-security-policy': /img-src 'self';/ } })
  t.ok(consent.body.includes(picture))
  await browser.post(`/id/consent?${codeQuery()}`, {
    transaction: /value="([^"]+)"/.exec(consent.body)![1]!, decision: 'allow', username: 'ann', password: 'correct horse'
  })
  t.ok((await browser.get('/id/account')).body.includes(picture))
  t.match(await app.inject(address), {
    statusCode: 200,
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable', 'content-security-policy': /sandbox/ },
    rawPayload: PNG
  })
  await stores.clients.change('app', { logo: webp })
  t.match(await app.inject(`/id/logos/${webp.name}`), { headers: { 'content-type': 'image/webp' }, rawPayload: WEBP })
  t.equal((await app.inject(address)).statusCode, 200, 'of the other app')
  await stores.clients.remove('tv')
  for (const name of [png.name, 'x.png', `${'x'.repeat(43)}.png`, '%00', webp.name.replace('webp', 'svg')]) {
    t.equal((await app.inject(`/id/logos/${name}`)).statusCode, 404, name)
  }
  await stores.clients.change('app', { logo: null })
  t.notMatch((await browser.get(`/id/consent?${codeQuery({ prompt: 'consent' })}`)).body, 'app-logo')
})

t.test('the page for a device has it, too', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(deviceClient({ logo: png }))
  const page = await enter(new Browser(app), (await askForCodes(app)).user_code)
  t.ok(page.body.includes(`src="/logos/${png.name}"`))
})

t.test('of 100 changes at once one remains, whole; it goes with the app', async t => {
  const { stores, databaseUrl } = await build(t)
  const before = await countRows(databaseUrl)
  const change = async (index: number) => await stores.clients.change('app', { logo: [png, webp, null][index % 3]! })
  await Promise.all(Array.from({ length: 100 }, (_, index) => change(index)))
  await stores.clients.change('app', { logo: png })
  await stores.clients.change('app', { name: 'Another' })
  t.same([...await stores.clientLogos.list()], [['app', png]])
  t.equal((await stores.clients.find('app'))?.logoName, png.name)
  t.same(await stores.clientLogos.find(png.name), png)
  t.equal(await countRows(databaseUrl), before + 1)
  t.equal(await stores.clients.change('nobody', { logo: png }), false)
  await stores.clients.put(client())
  t.equal((await stores.clients.find('app'))?.logoName, null, 'an upsert says everything')
  await stores.clients.apply({ put: [{ ...client({ logo: webp }), disabledAt: null }], removed: [] })
  t.equal((await stores.clients.find('app'))?.logoName, webp.name)
  await Promise.all([stores.clients.remove('app'), change(0), change(1), change(2)])
  t.same([...await stores.clientLogos.list()], [])
})
