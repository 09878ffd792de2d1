// Importing a file: the service checks it first, and the person sees which lines it would refuse, before anything is registered.
import { html, nothing } from './lit/lit-html.js'
import { refresh } from './list.js'
import { say } from './messages.js'
import { labels } from './panel.js'
import { refusalOf } from './refusal.js'
import { customers, end } from './session.js'
import { state, update } from './state.js'

const types = { json: 'application/json', ndjson: 'application/x-ndjson', jsonl: 'application/x-ndjson' }
/** Lines with errors that are shown. */
const SHOWN = 10
const count = number => new Intl.NumberFormat('en').format(number)
const customersOf = number => `${count(number)} ${number === 1 ? 'customer' : 'customers'}`

/** Lets the person choose a file, and checks it. */
export function chooseFile () {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.csv,.json,.ndjson,.jsonl' })
  input.addEventListener('change', () => check(input.files[0]))
  input.click()
}

async function check (file) {
  // One key for the file: after a lost connection the import continues.
  await update({ importing: { file, key: crypto.randomUUID(), controller: new AbortController() } })
  const report = await send({ dryRun: true })
  if (report) set({ report })
}

async function register () {
  const report = await send({ idempotencyKey: state.importing.key })
  if (!report) return
  await update({ importing: null })
  const { registered, failed } = report
  say(`${customersOf(registered)} ${registered === 1 ? 'is' : 'are'} imported.`, { detail: failed > 0 ? `${count(failed)} with errors ${failed === 1 ? 'is' : 'are'} not.` : undefined })
  await refresh()
}

/** Sends the file. @returns the report; undefined if there is none: the dialog says why */
async function send (options) {
  const { file, controller: { signal } } = state.importing
  await set({ busy: true, registers: !options.dryRun, problem: null })
  try {
    return await customers.import(file, types[file.name.split('.').at(-1).toLowerCase()] ?? 'text/csv', { ...options, signal })
  } catch (error) {
    if (signal.aborted) return
    const problem = refusalOf(error)
    if (problem.status !== 401) return await set({ problem })
    await update({ importing: null })
    end(problem.sentence)
  } finally {
    if (state.importing?.file === file) await set({ busy: false })
  }
}

async function cancel () {
  // Closed already.
  if (!state.importing) return
  const { controller, busy, registers } = state.importing
  controller.abort()
  await update({ importing: null })
  document.getElementById('files')?.focus()
  if (!registers) return
  if (busy) say('The import is stopped.', { detail: 'Customers that were imported before stay.' })
  await refresh()
}

function set (changes) {
  return state.importing ? update({ importing: { ...state.importing, ...changes } }) : Promise.resolve()
}

/** The dialog. */
export function importView () {
  if (!state.importing) return nothing
  const { file, busy, registers, report, problem } = state.importing
  const again = report ? register : () => check(file)
  return html`<dialog class="question wide" aria-labelledby="import-title" @cancel=${cancel} @close=${cancel}>
    <h2 id="import-title">Import ${file.name}</h2>
    <div role="status">${busy ? html`<p>${registers ? 'Importing…' : 'Checking the file…'}</p>` : report && !problem ? summary(report) : nothing}</div>
    ${problem ? html`<p role="alert"><strong>${problem.title}.</strong> ${problem.text}</p>` : nothing}
    ${report && !busy && !problem && report.failed > 0 ? lines(report) : nothing}
    <div class="buttons">
      <button type="button" autofocus @click=${cancel}>Cancel</button>
      ${problem ? html`<button class="primary" type="button" ?disabled=${busy} @click=${problem.temporary ? again : chooseFile}>${problem.temporary ? 'Try again' : 'Choose another file'}</button>` : nothing}
      ${report?.registered > 0 && !problem ? html`<button class="primary" type="button" ?disabled=${busy} @click=${register}>Import ${customersOf(report.registered)}</button>` : nothing}
    </div>
  </dialog>`
}

function summary ({ lines, registered, failed }) {
  if (lines === 0) return html`<p>There are no customers in this file.</p>`
  if (failed === 0) return html`<p>${customersOf(registered)} without errors. Nothing is imported yet.</p>`
  return html`<p>${count(registered)} of ${customersOf(lines)} can be imported, ${count(failed)} cannot. Nothing is imported yet.</p>`
}

function lines ({ errors, failed }) {
  const rest = failed - SHOWN
  return html`<ul class="lines">${errors.slice(0, SHOWN).map(({ line, errors }) => html`<li><b>Line ${line}</b>${errors.map(({ field, detail }) =>
    html`<span>${labels[field] ? `${labels[field]}: ` : ''}${detail}</span>`)}</li>`)}</ul>
    ${rest > 0 ? html`<p>And ${count(rest)} more.</p>` : nothing}`
}
