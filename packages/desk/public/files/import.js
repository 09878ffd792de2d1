// Importing a file: the service first checks it, and the user sees which lines have errors before anything is registered.
import { count, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { refresh } from '../list/list.js'
import { say } from '../parts/messages.js'
import { button } from '../parts/parts.js'
import { customers, labels, refusalOf, violationOf } from '../register.js'
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
  say(t(failed > 0 ? 'import.doneWithErrors' : 'import.done', { count: registered, failed: count(failed) }))
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
  .then(() => refusalOf(error), () => ({ title: t('import.fileChanged'), text: t('import.nothingImported') }))

async function close () {
  const { busy, registers } = current
  sending.abort()
  if (!registers) return
  if (busy) say(t('import.stopped'), { detail: t('import.kept') })
  await refresh()
}

function set (changes) {
  Object.assign(current, changes)
  return update()
}

function importDialog () {
  const { file, busy, registers, report, problem } = current
  const checked = report && !problem ? reportView(report) : nothing
  const progress = busy ? html`<p>${t(registers ? 'import.running' : 'import.checking')}</p>` : checked
  return {
    title: t('import.title', { file: file.name }),
    body: html`<div role="status">${progress}</div>
      ${problem ? html`<p role="alert"><strong>${problem.title}.</strong> <span dir="auto">${problem.text}</span></p>` : nothing}`,
    buttons: html`<button autofocus>${t('cancel')}</button>${busy ? nothing : next()}`,
    close
  }
}

/** The button for the next step, if there is one. */
function next () {
  const { file, report, problem } = current
  // 409: the service is still reading from the lost connection.
  if (problem?.temporary || problem?.status === 409) return button(t('tryAgain'), report ? register : () => check(file), 'primary')
  if (problem) return button(t('import.anotherFile'), chooseFile, 'primary')
  return report?.registered > 0 ? button(t('import.yes', { count: report.registered }), register, 'primary') : nothing
}

function reportView ({ lines, registered, failed, errors, warned, warnings }) {
  if (lines === 0) return html`<p>${t('import.noCustomers')}</p>`
  const found = failed === 0
    ? t('import.good', { count: registered })
    : t('import.partly', {
      good: t('import.importable', { count: lines, good: count(registered) }), failed: t('import.failed', { count: failed })
    })
  return html`<p>${found}</p>
    ${linesView(t('import.linesWithErrors'), errors, failed)}
    ${warned > 0 ? html`<p>${t('import.doubts', { count: warned })}</p>` : nothing}
    ${linesView(t('import.linesToCheck'), warnings, warned)}`
}

function linesView (label, lines, total) {
  if (total === 0) return nothing
  const sentence = error => {
    const field = labels[error.field]
    return html`<span dir="auto">${field ? t('import.lineError', { field, error: violationOf(error) }) : violationOf(error)}</span>`
  }
  return html`<ul class="lines" tabindex="0" aria-label=${label}>${lines.slice(0, MAX_LINES).map(({ line, errors }) =>
      html`<li><b>${t('import.line', { number: line })}</b>${errors.map(sentence)}</li>`)}</ul>
    ${total > MAX_LINES ? html`<p>${t('moreItems', { count: total - MAX_LINES })}</p>` : nothing}`
}
