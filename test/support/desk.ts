import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { openPage, signIn, startBrowser } from './browser.js'
import { addPerson, authorizationUrl, erika, Person } from './person.js'
import { startCheckedStack } from './openapi/checked-stack.js'
import type { Stack } from './stack.js'

/** The desk, signed in, and the register behind it. */
export interface Desk {
  readonly stack: Stack
  /** Asserts that the requests of the desk, and the responses, are as the OpenAPI documents say. */
  readonly assertDocumented: (t: Test) => void
  readonly page: Page
  /** Address of the customers. */
  readonly resource: string
  /** Of a request as the same person with another access token. */
  readonly headers: Record<string, string>
  /** Registers a customer. */
  readonly register: (customerid: number, customername: string, customeraddress: string, customerage?: number) => Promise<void>
  /** Registers customers, each a line of CSV. */
  readonly importLines: (lines: string[]) => Promise<void>
  /** Reads a customer as it is now. */
  readonly read: (customerid: number) => Promise<Record<string, unknown>>
  /** The status of the response to reading a customer. */
  readonly statusOf: (customerid: number) => Promise<number>
  /** Changes a customer, as another person would. */
  readonly change: (customerid: number, changes: object) => Promise<void>
  /** Removes a customer, in the same way. */
  readonly remove: (customerid: number) => Promise<void>
  /** Merges a customer into another, in the same way. @param values of the other one */
  readonly merge: (into: number, from: number, values?: object) => Promise<void>
}

/** Starts the services with "Person 01", 02… of 40 years, somewhere, and signs in to the desk. */
export async function startDesk (t: Test, people: number): Promise<Desk> {
  const { stack, assertDocumented } = await startCheckedStack(t)
  await addPerson(stack, erika)
  const answer = new URL(await new Person(stack).allow(authorizationUrl(stack, { scope: 'customer:read customer:write customer:delete' }), erika))
  const token = new URLSearchParams(answer.hash.slice(1)).get('access_token')
  const resource = `${stack.address('customer-service')}/rest/qa/customer`
  const headers = { authorization: `Bearer ${token}` }
  const send = async (path: string, status: number, init: RequestInit) => {
    t.equal((await fetch(resource + path, { ...init, headers: { ...headers, ...init.headers } })).status, status)
  }
  const importLines = async (lines: string[]) => {
    const body = ['customerid,customername,customerage,customeraddress', ...lines].join('\n')
    await send('/import', 200, { method: 'POST', headers: { 'content-type': 'text/csv' }, body })
  }
  await importLines(Array.from({ length: people }, (_, index) => `${index + 1},Person ${String(index + 1).padStart(2, '0')},40,Somewhere`))
  const page = await openPage(t, await startBrowser(t), stack)
  await signIn(page, stack)
  return {
    stack,
    assertDocumented,
    page,
    resource,
    headers,
    register: async (customerid, customername, customeraddress, customerage = 40) => {
      const fields = { customerid: String(customerid), customername, customerage: String(customerage), customeraddress }
      await send('', 201, { method: 'POST', body: new URLSearchParams(fields) })
    },
    importLines,
    statusOf: async id => (await fetch(`${resource}/${id}`, { headers })).status,
    read: async id => {
      const response = await fetch(`${resource}/${id}`, { headers: { ...headers, accept: 'application/json' } })
      // as: a customer.
      return await response.json() as Record<string, unknown>
    },
    change: async (id, changes) => {
      await send(`/${id}`, 204, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: JSON.stringify(changes) })
    },
    remove: async id => await send(`/${id}`, 204, { method: 'DELETE' }),
    merge: async (into, from, values) => {
      await send(`/${into}/merge`, 200, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ from, ...values }) })
    }
  }
}

/** What a test looks for in a page of the desk. */
export function partsOf (page: Page) {
  const panel = page.locator('dialog.panel')
  return {
    panel,
    row: (name: string) => page.locator('tr[data-id]').getByText(name),
    field: (label: string) => panel.getByLabel(label, { exact: true }),
    press: async (name: string) => await panel.getByRole('button', { name, exact: true }).click(),
    /** Chooses an action that is not about one customer. */
    menu: async (item: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    },
    said: async (text: string | RegExp) => await page.locator('#message').getByText(text).waitFor(),
    focused: async (id: string) => await page.waitForFunction(id => document.activeElement?.id === id, id)
  }
}
