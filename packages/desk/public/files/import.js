// Importing a file: the service first checks it, and the user sees which lines have errors before anything is registered.
import { html, nothing } from '../lit/lit-html.js'
import { refresh } from '../list/list.js'
import { say } from '../parts/messages.js'
import { button, count, customersOf } from '../parts/parts.js'
import { customers, labels, refusalOf } from '../register.js'
import { state, update } from '../state.js'

const types = { json: 'application/json', ndjson: 'application/x-ndjson', jsonl: 'application/x-ndjson' }
const MAX_LINES = 10

/** The dialog's state: `{ file, key, busy, registers, report, problem }`. */
let current
let sending = new AbortController()

/** Lets the user choose a file, and checks it. */
export function chooseFile () {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.csv,.json,.ndjson,.jsonl' })
  input.addEventListener('change', () => check(input.files[0]))
  input.click()
}

async function check (file) {
  // One key per file: after a lost connection, the import continues.
  current = { file, key: crypto.randomUUID() }
  await update({ dialog: importDialog })
  const report = await send({ dryRun: true })
  if (report) await set({ report })
}

async function register () {
  const report = await send({ idempotencyKey: current.key })
  if (!report) return
  const { registered, failed } = report
  await update({ dialog: null })
  say(failed > 0 ? `Imported ${customersOf(registered)}; ${count(failed)} had errors.` : `Imported ${customersOf(registered)}.`)
  await refresh()
}

/** Sends the file. @returns the report, or undefined if there is none: the dialog says why */
async function send (options) {
  const { file } = current
  sending.abort()
  sending = new AbortController()
  const signal = AbortSignal.any([sending.signal, state.session.signal])
  await set({ busy: true, registers: !options.dryRun, problem: null })
  const type = types[file.name.split('.').at(-1).toLowerCase()] ?? 'text/csv'
  const { report, error } = await customers.import(file, type, { ...options, signal }).then(report => ({ report }), error => ({ error }))
  if (signal.aborted) return
  await set({ busy: false, problem: error ? await problemOf(error, file) : null })
  return report
}

/** Browsers do not read a file that changed after it was chosen. */
const problemOf = (error, file) => file.slice(0, 1).arrayBuffer()
  .then(() => refusalOf(error), () => ({ title: 'The file changed', text: 'Nothing from the new version was imported.' }))

async function close () {
  const { busy, registers } = current
  sending.abort()
  if (!registers) return
  if (busy) say('Import stopped.', { detail: 'Customers imported so far are kept.' })
  await refresh()
}

function set (changes) {
  Object.assign(current, changes)
  return update()
}

function importDialog () {
  const { file, busy, registers, report, problem } = current
  const checked = report && !problem ? reportView(report) : nothing
  const progress = busy ? html`<p>${registers ? 'Importing…' : 'Checking the file…'}</p>` : checked
  return {
    title: `Import ${file.name}`,
    body: html`<div role="status">${progress}</div>
      ${problem ? html`<p role="alert"><strong>${problem.title}.</strong> ${problem.text}</p>` : nothing}`,
    buttons: html`<button autofocus>Cancel</button>${busy ? nothing : next()}`,
    close
  }
}

/** The button for the next step, if there is one. */
function next () {
  const { file, report, problem } = current
  // 409: the service is still reading from the lost connection.
  if (problem?.temporary || problem?.status === 409) return button('Try again', report ? register : () => check(file), 'primary')
  if (problem) return button('Choose another file', chooseFile, 'primary')
  return report?.registered > 0 ? button(`Import ${customersOf(report.registered)}`, register, 'primary') : nothing
}

function reportView ({ lines, registered, failed, errors, warned, warnings }) {
  if (lines === 0) return html`<p>This file has no customers.</p>`
  const found = failed === 0
    ? `${customersOf(registered)} without errors.`
    : `${count(registered)} of ${customersOf(lines)} can be imported; ${count(failed)} ${failed === 1 ? 'has' : 'have'} errors.`
  return html`<p>${found} Nothing has been imported yet.</p>
    ${linesView('Lines with errors', errors, failed)}
    ${warned > 0 ? html`<p>Check before you import: ${customersOf(warned)} may be mistyped.</p>` : nothing}
    ${linesView('Lines to check', warnings, warned)}`
}

function linesView (label, lines, total) {
  if (total === 0) return nothing
  const sentence = ({ field, detail }) => html`<span>${labels[field] ? `${labels[field]}: ` : ''}${detail}</span>`
  return html`<ul class="lines" tabindex="0" aria-label=${label}>${lines.slice(0, MAX_LINES).map(({ line, errors }) =>
      html`<li><b>Line ${line}</b>${errors.map(sentence)}</li>`)}</ul>
    ${total > MAX_LINES ? html`<p>And ${count(total - MAX_LINES)} more.</p>` : nothing}`
}
