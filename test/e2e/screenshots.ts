// Makes the pictures in docs/images of what `npm start` runs at its usual addresses, without customers:
// `node test/dist/e2e/screenshots.js`
import { join } from 'node:path'
import { allow, launch } from '../browser.js'
import { root } from '../stack.js'

const browser = await launch()
const page = await browser.newPage({ viewport: { width: 1000, height: 780 }, colorScheme: 'light' })
const picture = async (name: string) => await page.screenshot({ path: join(root, 'docs/images', `${name}.png`), fullPage: true })

await page.goto('http://localhost:3002')
await page.getByRole('button', { name: 'Sign in', exact: true }).click()
await page.getByLabel('User name').fill('demo')
await picture('consent')

await allow(page, { username: 'demo', password: 'demo' })
const register = page.getByRole('form', { name: 'Register' })
for (const [index, value] of ['1', 'charitha', '33', 'piliyandala'].entries()) await register.getByRole('textbox').nth(index).fill(value)
await register.getByRole('button').click()
await page.getByText('Customer 1 is registered.').waitFor()
await page.locator('#lookup-customerid').fill('1')
await page.getByRole('button', { name: 'Record' }).click()
await page.locator('#result dl').waitFor()
await page.mouse.move(0, 0)
await page.evaluate(() => window.scrollTo(0, 0))
await picture('app')
await browser.close()
