// Exporting customers as CSV (RFC 4180) that a spreadsheet opens as text, not as formulas.
import { CustomerNetworkError } from '../customer-client.js'
import { t } from '../language.js'
import { html } from '../lit/lit-html.js'
import { selectedPages, selectedTotal } from '../list/selection.js'
import { runJob } from '../parts/job.js'
import { say, warn } from '../parts/messages.js'
import { customers, labels, nameOf, refusalOf } from '../register.js'
import { state } from '../state.js'
import { protectedOperation } from '../step-up.js'

const columns = Object.keys(labels)
const caution = t('export.caution')

/**
 * Excel, LibreOffice and Google Sheets treat a text that starts like this as a formula; as in the service's exports, an
 * apostrophe makes it text. An import removes one apostrophe, so a text that starts with apostrophes gets one more.
 */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/

/** Saves a customer as a file. */
export function exportCsv (customer) {
  saveCsv([csvOf([columns]), csvOf([valuesOf(customer)])])
  say(t('export.one', { name: nameOf(customer) }))
}

/** Saves the selected customers as a file. */
export async function exportSelected () {
  const { count, more } = selectedTotal()
  const parts = [csvOf([columns])]
  let exported = 0
  await runJob(t('export.running'), more ? undefined : count, async job => {
    try {
      for await (const page of selectedPages(job)) {
        parts.push(csvOf(page.map(valuesOf)))
        exported += page.length
        job.advance(page.length)
      }
      saveCsv(parts)
      say(t('export.many', { count: exported }))
    } catch (error) {
      if (!state.session) return
      if (job.signal.aborted) return say(t('export.stopped'))
      warn(t('failure', { what: t('export.failed'), why: refusalOf(error).sentence }))
    }
  })
}

const valuesOf = customer => columns.map(column => customer[column])

const csvOf = lines => lines.map(line => `${line.map(quote).join(',')}\r\n`).join('')

/** Saves all customers as a file. */
export const exportAll = protectedOperation('export-all', {
  failed: t('export.failed'),
  question: () => ({ title: t('export.allQuestion'), body: html`<p>${caution}</p>`, yes: t('export'), kind: 'primary' }),
  run: async () => {
    say(t('export.allRunning'))
    const stream = await customers.export('text/csv')
    saveCsv([await new Response(stream).blob().catch(cause => { throw new CustomerNetworkError('Export interrupted', 1, cause) })])
    say(t('export.all'))
  }
})

/** Saves all data about a customer, with its history, as a file. */
export const exportData = protectedOperation('export-one', {
  failed: t('export.failed'),
  question: customer => ({
    title: t('export.dataQuestion', { name: nameOf(customer) }), body: html`<p>${caution}</p>`, yes: t('export'), kind: 'primary'
  }),
  run: async customer => {
    const { customerid } = customer
    const data = await customers.exportOne(customerid)
    save([JSON.stringify(data, null, 2)], { type: 'application/json', name: `customer-${customerid}.json` })
    say(t('export.data', { name: nameOf(customer) }))
  }
})

function quote (value) {
  // A number is not a formula, even if negative.
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// A byte order mark, so that Excel recognizes UTF-8.
const saveCsv = parts => save(['\ufeff', ...parts], {
  type: 'text/csv;charset=utf-8', name: `customers-${new Date().toISOString().slice(0, 10)}.csv`
})

function save (parts, { type, name }) {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
