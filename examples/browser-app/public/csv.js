// Customers as CSV (RFC 4180) that a spreadsheet opens as text, not as formulas.

const columns = ['customerid', 'customername', 'customerage', 'customeraddress']

/**
 * A text that begins like this is a formula to Excel, LibreOffice and Google Sheets; an apostrophe makes it text. An import
 * takes off one apostrophe: a text with apostrophes of its own gets one more.
 */
const formula = /^'*[=+\-@\t\r]/

/** @returns {string} with a byte order mark, by which Excel knows that it is UTF-8 */
export function toCsv (customers) {
  const lines = [columns, ...customers.map(customer => columns.map(column => customer[column]))]
  return `\ufeff${lines.map(line => line.map(quote).join(',')).join('\r\n')}\r\n`
}

function quote (value) {
  const text = formula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Has the browser save a file of today. @param {Blob | string} content */
export function download (content) {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: url, download: `customers-${new Date().toISOString().slice(0, 10)}.csv` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
