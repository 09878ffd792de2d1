// Importing a file: the service checks it first, and the person sees which lines it would refuse, before anything is registered.
import { html, nothing } from './lit/lit-html.js'
import { refresh } from './list.js'
import { say } from './messages.js'
import { count, customersOf } from './numbers.js'
import { labels } from './panel.js'
import { refusalOf } from './refusal.js'
import { customers, end } from './session.js'
import { state, update } from './state.js'

const types = { json: 'application/json', ndjson: 'application/x-ndjson', jsonl: 'application/x-ndjson' }
/** Lines with errors that are shown. */
const SHOWN = 10

let sending = new AbortController()

/** Lets the person choose a file, and checks it. */
export function chooseFile () {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.csv,.json,.ndjson,.jsonl' })
  input.addEventListener('change', () => check(input.files[0]))
  input.click()
}

/** Ends what is under way. */
export function stop () {
  sending.abort()
}

async function check (file) {
  // One key for the file: after a lost connection the import continues.
  await update({ importing: { file, key: crypto.randomUUID() } })
  const report = await send({ dryRun: true })
  if (report) await set({ report })
}

async function register () {
  const report = await send({ idempotencyKey: state.importing.key })
  if (!report) return
  const { registered, failed } = report
  await close()
  const detail = failed > 0 ? `${count(failed)} with errors ${failed === 1 ? 'is' : 'are'} not.` : undefined
  say(`${customersOf(registered)} ${registered === 1 ? 'is' : 'are'} imported.`, { detail })
  await refresh()
}

/** Sends the file. @returns the report; undefined if there is none: the dialog says why */
async function send (options) {
  const { file } = state.importing
  stop()
  sending = new AbortController()
  const { signal } = sending
  await set({ busy: true, registers: !options.dryRun, problem: null })
  try {
    const type = types[file.name.split('.').at(-1).toLowerCase()] ?? 'text/csv'
    const report = await customers.import(file, type, { ...options, signal })
    if (!signal.aborted) return report
  } catch (error) {
    if (signal.aborted) return
    const problem = refusalOf(error)
    if (problem.status === 401) return end(problem.sentence)
    await set({ problem: await isReadable(file) ? problem : { title: 'The file was changed', text: 'Nothing of the new version is imported.' } })
  } finally {
    if (!signal.aborted) await set({ busy: false })
  }
}

/** Whether a file is as it was when it was chosen. A browser does not read it otherwise. */
const isReadable = file => file.slice(0, 1).arrayBuffer().then(() => true, () => false)

async function cancel () {
  // Closed already.
  if (!state.importing) return
  const { busy, registers } = state.importing
  stop()
  await close()
  if (!registers) return
  if (busy) say('The import is stopped.', { detail: 'Customers that were imported before stay.' })
  await refresh()
}

async function close () {
  await update({ importing: null })
  document.getElementById('files')?.focus()
}

function set (changes) {
  return state.importing ? update({ importing: { ...state.importing, ...changes } }) : Promise.resolve()
}

/** The dialog. */
export function importView () {
  if (!state.importing) return nothing
  const { file, busy, problem } = state.importing
  return html`<dialog class="question wide" aria-labelledby="import-title" @cancel=${cancel} @close=${cancel}>
    <h2 id="import-title">Import ${file.name}</h2>
    <div role="status">${busy || !problem ? progress() : nothing}</div>
    ${problem ? html`<p role="alert"><strong>${problem.title}.</strong> ${problem.text}</p>` : nothing}
    <div class="buttons">
      <button type="button" autofocus @click=${cancel}>Cancel</button>
      ${busy ? nothing : next()}
    </div>
  </dialog>`
}

function progress () {
  const { busy, registers, report } = state.importing
  if (busy) return html`<p>${registers ? 'Importing…' : 'Checking the file…'}</p>`
  return report ? [summary(report), lines(report)] : nothing
}

/** The button that leads on, if anything does. */
function next () {
  const { file, report, problem } = state.importing
  const button = (label, run) => html`<button class="primary" type="button" @click=${run}>${label}</button>`
  // 409: the service still reads the connection that was lost.
  if (problem?.temporary || problem?.status === 409) return button('Try again', report ? register : () => check(file))
  if (problem) return button('Choose another file', chooseFile)
  return report?.registered > 0 ? button(`Import ${customersOf(report.registered)}`, register) : nothing
}

function summary ({ lines, registered, failed }) {
  if (lines === 0) return html`<p>There are no customers in this file.</p>`
  if (failed === 0) return html`<p>${customersOf(registered)} without errors. Nothing is imported yet.</p>`
  return html`<p>${count(registered)} of ${customersOf(lines)} can be imported, ${count(failed)} cannot. Nothing is imported yet.</p>`
}

function lines ({ errors, failed }) {
  if (failed === 0) return nothing
  const sentence = ({ field, detail }) => html`<span>${labels[field] ? `${labels[field]}: ` : ''}${detail}</span>`
  return html`
    <ul class="lines" tabindex="0" aria-label="Lines with errors">${errors.slice(0, SHOWN).map(({ line, errors }) => html`<li><b>Line ${line}</b>${errors.map(sentence)}</li>`)}</ul>
    ${failed > SHOWN ? html`<p>And ${count(failed - SHOWN)} more.</p>` : nothing}`
}
