import { CustomerClient, CustomerProblem, type CustomerPage, type ListedCustomer } from '@frontdesk/customer-client'

/** Never called: its types are checked. Each wrong call expects an error of the compiler. */
export async function calls (customers: CustomerClient) {
  // What is right.
  const { href, etag }: { href: string, etag: string } = await customers.register({
    customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala'
  })
  const name: string = await customers.readName(1)
  const page: CustomerPage = await customers.page({ q: 'char', sort: '-updated', limit: 10, total: true })
  for await (const customer of customers.list({ name_prefix: 'char' })) {
    const listed: ListedCustomer = customer
    await customers.change(listed.customerid, { customerage: 34 }, { ifMatch: listed.etag })
  }

  // @ts-expect-error: no address of the service
  const nowhere = new CustomerClient({ token: 'a-token' })
  // @ts-expect-error: a token is text
  const numbered = new CustomerClient({ url: 'https://customers.example', token: 1 })
  // @ts-expect-error: a field is missing
  await customers.register({ customerid: 1, customername: 'charitha', customerage: 33 })
  // @ts-expect-error: an age is a number
  await customers.register({ customerid: 1, customername: 'charitha', customerage: '33', customeraddress: 'piliyandala' })
  // @ts-expect-error: an identifier is a number
  await customers.read('1')
  // @ts-expect-error: a registration has no condition
  await customers.register({ customerid: 1, customername: 'a', customerage: 33, customeraddress: 'b' }, { ifMatch: etag })
  // @ts-expect-error: a field that there is not
  await customers.change(1, { customerName: 'charitha' })
  // @ts-expect-error: a replacement has every field
  await customers.replace(1, { customername: 'charitha' })
  // @ts-expect-error: a move has an address
  await customers.move({ customername: 'charitha' })
  // @ts-expect-error: a read has no condition
  await customers.read(1, { ifMatch: etag })
  // @ts-expect-error: a type of file that there is not
  await customers.import('1,charitha', 'text/plain')
  // @ts-expect-error: an order that there is not
  await customers.page({ sort: 'size' })
  // @ts-expect-error: a filter that there is not
  customers.list({ address: 'colombo' })
  // @ts-expect-error: a list is asynchronous
  for (const customer of customers.list()) console.log(customer)
  // @ts-expect-error: the last page has no next
  const next: string = page.next
  // @ts-expect-error: a list has no unknown fields
  console.log(page.items[0]?.email)

  try {
    await customers.remove(1, { ifMatch: etag, timeoutMs: 1000, signal: AbortSignal.timeout(5000) })
  } catch (error) {
    if (!(error instanceof CustomerProblem)) throw error
    const fields: string[] = error.errors.map(({ field }) => field)
    // @ts-expect-error: a status is a number
    if (error.status === '412') throw error
    console.log(href, name, next, nowhere, numbered, fields, error.kind === 'version-differs')
  }
}
