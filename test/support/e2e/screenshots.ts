// Makes the pictures in docs/images of what `npm start` runs at its usual addresses, with the demo customers:
// `node test/dist/support/e2e/screenshots.js`
import { join } from 'node:path'
import { allow, launch } from '../browser.js'
import { root } from '../stack.js'

const browser = await launch()
const page = await browser.newPage({ viewport: { width: 1000, height: 780 }, colorScheme: 'light' })
const picture = async (name: string) => await page.screenshot({ path: join(root, 'docs/images', `${name}.png`) })

await page.goto(process.env.DESK_URL ?? 'http://localhost:3002')
await page.getByRole('button', { name: 'Sign in', exact: true }).click()
await page.getByLabel('User name').fill('demo')
await picture('consent')

await allow(page, { username: 'demo', password: 'demo' })
await page.getByText('40 customers').waitFor()
await picture('desk')
await browser.close()
