import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { allow, openPage, skip, startBrowser } from '../browser.js'
import { addPerson, erika } from '../person.js'
import { startSite } from '../site.js'
import { endStack, startStack } from '../stack.js'

await t.test('Swagger UI, which knows the implicit grant from openapi.json', { skip }, async t => {
  const explorer = { document: '' }
  const origin = await startSite(t, answerWith(explorer))
  const stack = await startStack(t, ['auth-server', 'customer-service'], { CORS_ORIGINS: origin })
  explorer.document = `${stack.address('customer-service')}/openapi.json`
  await addPerson(stack, erika)
  await stack.register(['client', 'add', 'explorer', '--name', 'API explorer', '--callback', `${origin}/oauth2-redirect.html`])
  const page = await openPage(t, await startBrowser(t), stack)
  await page.goto(origin)

  await t.test('it signs in with a popup, for the scopes that were chosen', async t => {
    await page.getByRole('button', { name: 'Authorize' }).click()
    const dialog = page.locator('.modal-ux')
    await dialog.getByLabel('client_id').fill('explorer')
    await dialog.getByText('select all', { exact: true }).click()
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click()
    await allow(await opened)
    await dialog.getByRole('button', { name: 'Remove authorization' }).waitFor()
    t.match(await dialog.innerText(), /Authorized/i)
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await t.test('it registers a customer and reads it', async t => {
    const fields = { customerid: '5', customername: 'charitha', customerage: '33', customeraddress: 'piliyandala' }
    t.match(await execute(page, 'post /rest/qa/customer', fields), /^201/)
    t.match(await execute(page, 'get /rest/qa/customer/{customerid}', { customerid: '5' }), /^200.*charitha/s)
  })

  await endStack(t, stack)
})

/** Opens an operation, fills it in, sends it and gives what is shown of the answer, its status first. */
async function execute (page: Page, operation: string, fields: Record<string, string>): Promise<string> {
  const block = page.locator('.opblock').filter({ has: page.getByRole('button', { name: operation, exact: true }) })
  await block.getByRole('button', { name: operation, exact: true }).click()
  await block.getByRole('button', { name: 'Try it out' }).click()
  for (const [name, value] of Object.entries(fields)) await block.locator(`[data-property-name=${name}] input, [data-param-name=${name}] input`).fill(value)
  await block.getByRole('button', { name: 'Execute' }).click()
  return await block.locator('.live-responses-table .response').innerText()
}

/** Answers with Swagger UI as it comes from npm, for the document that is known by then. */
function answerWith (explorer: { document: string }): RequestListener {
  const files = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css' }
  return (request, response) => {
    const path = request.url!.slice(1).split('?', 1)[0]!
    response.setHeader('content-type', `${types[path.split('.').at(-1)!] ?? 'text/html'}; charset=utf-8`)
    if (path === '') response.end(pageFor(explorer.document))
    else readFile(join(files, path)).then(content => response.end(content), () => response.writeHead(404).end())
  }
}

function pageFor (document: string): string {
  return `<!doctype html><title>Explorer</title><link rel="stylesheet" href="swagger-ui.css">
<div id="ui"></div><script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: '${document}', dom_id: '#ui' })</script>`
}
