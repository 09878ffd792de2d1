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
const people = [
  [
    'charitha', '33', 'piliyandala'
  ], ['Amélie Poulain', '29', 'Rue Lepic 15, Paris'], ['Łukasz Nowak', '41', 'Piotrkowska 1, Łódź'], ['Jörg Müller', '52', 'Straße 5, Köln']
]
for (const [index, person] of people.entries()) {
  for (const [field, value] of [String(index + 1), ...person].entries()) await register.getByRole('textbox').nth(field).fill(value)
  await register.getByRole('button').click()
  await page.getByText(`Customer ${index + 1} is registered.`).waitFor()
}
await page.getByText('4 customers.').waitFor()
await page.mouse.move(0, 0)
await page.evaluate(() => window.scrollTo(0, 0))
await picture('app')
await browser.close()
