// Customers as CSV (RFC 4180) that a spreadsheet opens as text, not as formulas.

const columns = ['customerid', 'customername', 'customerage', 'customeraddress']

/**
 * A text that begins like this is a formula to Excel, LibreOffice and Google Sheets; an apostrophe makes it text. An import
 * takes off one apostrophe: a text with apostrophes of its own gets one more.
 */
const formula = /^'*[=+\-@\t\r]/

/** Customers as CSV. */
export function toCsv (customers) {
  const lines = [columns, ...customers.map(customer => columns.map(column => customer[column]))]
  return `${lines.map(line => line.map(quote).join(',')).join('\r\n')}\r\n`
}

function quote (value) {
  const text = formula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Has the browser save CSV as a file of today. @param {Blob | string} csv */
export function download (csv) {
  // A byte order mark: by it Excel knows that this is UTF-8.
  const url = URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: url, download: `customers-${new Date().toISOString().slice(0, 10)}.csv` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
