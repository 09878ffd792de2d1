import t from 'tap'
import { accessibilityFindings, openPage, skip } from '../support/browser.js'
import { startDesk, partsOf } from '../support/desk.js'
import { chooseLanguage, englishOn, textsOf, usePseudoLanguage } from '../support/e2e/desk-languages.js'
import { endStack } from '../support/stack.js'

await t.test('the desk in other languages', { skip }, async t => {
  const { stack, page, register, change, resource, assertDocumented } = await startDesk(t, 2)
  const { panel, row, said } = partsOf(page)
  const found = page.locator('#found')
  await register(55, 'Erika Müller', 'Straße 5, Köln', 34)
  await register(77, 'ليلى', 'شارع 5، القاهرة', 11)

  await t.test('before sign-in, it has the language of the browser, and signs in with it', async t => {
    const german = await openPage(t, page.context().browser()!, stack, { locale: 'de-AT' })
    await german.goto(stack.address('desk'))
    const asked = german.waitForRequest(`${stack.issuer}/authorize?*`)
    await german.getByRole('button', { name: 'Anmelden', exact: true }).click()
    t.equal(new URL((await asked).url()).searchParams.get('ui_locales'), 'de')
    await german.goto(`${stack.address('desk')}/nowhere`)
    await german.getByRole('heading', { name: 'Diese Seite gibt es nicht.' }).waitFor()
    await german.getByRole('link', { name: 'Zur Kundenverwaltung' }).click()
    await german.getByRole('button', { name: 'العربية' }).click()
    await german.getByRole('button', { name: 'تسجيل الدخول', exact: true }).waitFor()
    t.same(await accessibilityFindings(german), [])
  })

  await t.test('the menu switches to German: dates, problems, and searches in words of both languages', async t => {
    await chooseLanguage(page, 'Deutsch')
    await found.getByText('4 Kunden').waitFor()
    t.same(await page.evaluate(() => [document.documentElement.lang, document.title]), ['de', 'Kunden · Frontdesk'])
    t.match(await page.locator('td.changed').first().innerText(), /^\d+\. \p{L}+\.? \d{4}, \d\d:\d\d$/u)
    for (const words of ['Alter 34', '34 Jahre', 'im Alter von 30-39', 'age 34']) {
      await page.locator('#search').fill(words)
      await found.getByText('1 Kunde', { exact: true }).waitFor()
    }
    await page.locator('#search').fill('')
    await found.getByText('4 Kunden').waitFor()
    await page.route(`${resource}/55`, route => route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      headers: { 'access-control-allow-origin': '*' },
      json: { type: 'https://customers.example/problems/rate-limit-exceeded', title: 'Too many requests', status: 429 }
    }))
    await row('Erika Müller').click()
    await panel.getByLabel('Alter').fill('35')
    await panel.getByRole('button', { name: 'Speichern' }).click()
    await panel.locator('#panel-problem').getByText('Zu viele Anfragen').waitFor()
    await page.unroute(`${resource}/55`)
    await panel.getByLabel('Name').fill('x'.repeat(101))
    await panel.getByRole('button', { name: 'Speichern' }).click()
    await panel.getByText('Darf höchstens 100 Zeichen lang sein.').waitFor()
    await panel.getByLabel('Name').fill('Erika Müller')
    await panel.getByRole('button', { name: 'Speichern' }).click()
    await said('Erika Müller wurde gespeichert.')
  })

  await t.test('Arabic is mirrored, isolates other scripts, and has six plural forms', async t => {
    await chooseLanguage(page, 'العربية')
    await found.getByText('4 عملاء').waitFor()
    t.same(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), ['ar', 'rtl'])
    const { width } = page.viewportSize()!
    const left = async (selector: string) => (await page.locator(selector).first().boundingBox())!.x
    t.ok(await left('#person') < width / 2 && await left('th.number') > width / 2)
    await row('Erika Müller').click()
    await page.waitForFunction(() => document.querySelector('.panel')!.getAnimations().length === 0)
    t.equal(await left('dialog.panel'), 0)
    t.same(await accessibilityFindings(page), [])
    await change(55, { customeraddress: 'Hauptstraße 1' })
    await page.keyboard.press('Escape')
    await row('ليلى').click()
    await panel.locator('#panel-customerage').fill('١٢')
    await panel.locator('button.primary').click()
    await said('تم حفظ \u2067ليلى\u2069.')
    await page.locator('#search').fill('العمر ١٢')
    await found.getByText('عميل واحد').waitFor()
    await page.locator('#search').fill('')
    await found.getByText('4 عملاء').waitFor()

    // as: a plural text is an object.
    const forms = textsOf('ar').customers as Record<string, string>
    const rendered = await page.evaluate(async () => {
      const { href } = document.querySelector<HTMLLinkElement>('link[href$="/language.js"]')!
      // as: what the module exports.
      const { t } = await import(href) as { t: (key: string, values: { count: number }) => string }
      return [1, 2, 3, 11, 100].map(count => t('customers', { count }))
    })
    t.same(rendered, [forms.one, forms.two, forms.few!.replace('{count}', '3'), forms.many!.replace('{count}', '11'), forms.other!.replace('{count}', '100')])
    await chooseLanguage(page, 'English')
    await found.getByText('4 customers').waitFor()
  })

  await t.test('in a longer language, nothing is English, and 320 pixels are enough', async t => {
    await usePseudoLanguage(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.reload()
    await page.locator('tr[data-id]').first().waitFor()
    const data = /^(Person 0|Erika|erika|Frontdesk$|Straße|Hauptstraße|Somewhere|localhost|new\.csv|desk$|https?:|frontdesk|customer:|JWT|curl|GET|\/)/
    const isLooked = async (state: string) => {
      t.same(await englishOn(page, data), [], state)
      t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 320, `${state} fits`)
      const tooWide = await page.evaluate(() => [...document.querySelectorAll('dialog[open], #menu:popover-open')]
        .filter(it => it.scrollWidth > it.clientWidth || it.getBoundingClientRect().right > innerWidth + 1).length)
      t.equal(tooWide, 0, `${state} fits`)
    }
    await isLooked('list')
    for (const button of ['#person', '#files', 'td.actions button']) {
      await page.locator(button).first().click()
      await isLooked(`menu of ${button}`)
      await page.keyboard.press('Escape')
    }
    await row('Erika').click()
    await panel.locator('summary').click()
    await panel.locator('.timeline li').first().waitFor()
    await panel.locator('#panel-customerage').fill('x')
    await isLooked('panel')
    await panel.locator('button.primary').click()
    await panel.locator('#panel-customerage-note').waitFor()
    await isLooked('invalid field')
    await page.keyboard.press('Escape')
    await page.locator('#message .toast').waitFor()
    await isLooked('draft')
    await page.locator('#drafts').click()
    await isLooked('drafts')
    await page.keyboard.press('Escape')
    await page.locator('h1').evaluate(it => (it.ownerDocument.activeElement as HTMLElement).blur())
    await page.keyboard.press('?')
    await page.locator('dialog.question[open]').waitFor()
    await isLooked('help')
    await page.keyboard.press('Escape')
    await page.locator('td.pick input').first().check()
    await isLooked('selection')
    await page.locator('.selection .danger').click()
    await page.locator('dialog.question[open]').waitFor()
    await isLooked('question')
    await page.keyboard.press('Escape')
    await page.locator('.selection > .icon').click()
    await page.locator('#search').fill('nobody')
    await page.locator('.place').waitFor()
    await isLooked('nothing found')
    await page.context().setOffline(true)
    await page.locator('.banner').waitFor()
    await isLooked('offline')
    await page.context().setOffline(false)
  })

  await t.test('what passed is documented', async t => assertDocumented(t))
  await endStack(t, stack)
})
