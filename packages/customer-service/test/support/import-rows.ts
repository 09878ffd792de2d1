import { PATH, type build } from './helper.js'

type Service = Awaited<ReturnType<typeof build>>

export const HEADER = 'customerid,customername,customerage,customeraddress\n'

/** Lines of a file with the customers of a range. */
export function rows (from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index},name ${from + index},33,street\n`).join('')
}

/** Imports a file, and returns the report or the problem. */
export async function importFile (
  { send }: Pick<Service, 'send'>, form: string, { query = '', key = '', ...sent }: { query?: string, key?: string, token?: string } = {}
) {
  const headers = { 'content-type': 'text/csv', ...key === '' ? {} : { 'idempotency-key': key } }
  return (await send('POST', `${PATH}/import${query}`, { form, headers, ...sent })).json()
}

/** Undoes an operation, and returns the report or the problem. */
export async function undo (
  { send }: Pick<Service, 'send'>, operation: string, { query = '', ...sent }: { query?: string, token?: string } = {}
) {
  return (await send('POST', `${PATH}/operations/${operation}/undo${query}`, sent)).json()
}
