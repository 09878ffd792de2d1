// Importing a file: the user sees how the service reads its columns, and can choose others; then the service checks it, and the user
// sees which lines have errors before anything is registered.
import { t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { refresh } from '../list/list.js'
import { say } from '../parts/messages.js'
import { button } from '../parts/parts.js'
import { customers, refusalOf } from '../register.js'
import { may, state, update } from '../state.js'
import { columnsView, firstSources, hasNumbers, isComplete, mapOf, numbered, rememberSources } from './columns.js'
import { addOnly, modeView } from './import-mode.js'
import { changed, doneSentence, reportView } from './import-report.js'
import { undoChanges } from './undo.js'

const CSV = 'text/csv'
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const types = { xlsx: WORKBOOK, json: 'application/json', ndjson: 'application/x-ndjson', jsonl: 'application/x-ndjson' }
/** Of a text, the part that is sent for a preview, in bytes. */
const PREVIEWED_BYTES = 2 ** 20

/** The dialog's state: `{ file, sheet, key, rule, busy, registers, preview, sources, isOpen, report, problem }`; JSON has no preview. */
let current
let sending = new AbortController()

/** Lets the user choose a file, and reads it. */
export function chooseFile () {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.csv,.xlsx,.tsv,.txt,.json,.ndjson,.jsonl' })
  input.addEventListener('change', () => open(input.files[0]))
  input.click()
}

/** `sheet`: of a workbook, if it is not the first one. */
async function open (file, sheet, rule = addOnly) {
  sending.abort()
  // One key per file: after a lost connection, the import continues.
  current = { file, sheet, key: crypto.randomUUID(), rule }
  await update({ dialog: importDialog })
  if (!isTable(file)) return check()
  const preview = await send(async options => await customers.previewImport(await beginningOf(file), typeOf(file), options))
  if (!preview) return
  const { sources, isSure } = await firstSources(preview)
  await set({ preview, sources, isOpen: !isSure || preview.sheets?.length > 1 })
  if (isSure) return check()
  document.getElementById('columns-customerid-0')?.focus()
}

/** A workbook is needed as a whole. Like the service, this looks at what a file is, not at its name. */
async function beginningOf (file) {
  return await file.slice(0, 2).text() === 'PK' ? file : file.slice(0, PREVIEWED_BYTES)
}

async function check () {
  await set({ report: undefined })
  const { file } = current
  const report = await send(options => customers.import(file, typeOf(file), { ...options, ...ruleOf(current), dryRun: true }))
  if (report) await set({ report })
}

async function register () {
  const { file, key, preview, sources } = current
  await set({ registers: true })
  const report = await send(options => customers.import(file, typeOf(file), { ...options, ...ruleOf(current), idempotencyKey: key }))
  if (!report) return
  const { operation } = report
  if (preview) await rememberSources(preview, sources)
  await update({ dialog: null })
  const action = operation && may('delete') ? { label: t('undo'), run: () => undoChanges(operation) } : undefined
  say(doneSentence(report, current.rule), { action, lasts: action && 'minute' })
  await refresh()
}

const isTable = file => [CSV, WORKBOOK].includes(typeOf(file))
const typeOf = file => types[file.name.split('.').at(-1).toLowerCase()] ?? CSV

/** Customers that are only updated need no numbers. */
const sourcesOf = ({ rule, sources }) => sources && rule.mode === 'update' && !sources.customerid.length ? numbered(sources) : sources

/** Without numbers, customers to change are found by their names. */
function ruleOf ({ rule, sources }) {
  if (rule.mode === 'create') return addOnly
  return !sources || hasNumbers(sources) ? rule : { ...rule, match: 'name' }
}

/**
 * Sends the file.
 * @template T
 * @param {(options: { map?: string[], sheet?: string, signal: AbortSignal }) => Promise<T>} request
 * @returns {Promise<T | undefined>} undefined if it fails: the dialog says why
 */
async function send (request) {
  const { file, sheet } = current
  const sources = sourcesOf(current)
  sending.abort()
  sending = new AbortController()
  const signal = AbortSignal.any([sending.signal, state.session.signal])
  await set({ busy: true, problem: null })
  const answer = request({ map: sources && mapOf(sources), sheet, signal })
  const { result, error } = await answer.then(result => ({ result, error: undefined }), error => ({ result: undefined, error }))
  if (signal.aborted) return
  await set({ busy: false, problem: error ? await problemOf(error, file) : null })
  return result
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
  const { file, rule, busy, registers, preview, sources, isOpen, report, problem } = current
  const checked = report && !problem ? reportView(report, rule) : nothing
  const rules = { rule: ruleOf(current), hasNumbers: !sources || hasNumbers(sources), choose: chooseRule }
  const chooseSources = sources => choose({ sources })
  const chooseSheet = sheet => open(file, sheet, rule)
  const progress = busy ? html`<p>${t(registers ? 'import.running' : 'import.checking')}</p>` : checked
  return {
    title: t('import.title', { file: file.name }),
    body: html`<div id="import-status" role="status" tabindex="-1">${progress}</div>
      ${problem ? html`<p role="alert"><strong>${problem.title}.</strong> <span dir="auto">${problem.text}</span></p>` : nothing}
      ${registers || (isTable(file) && !preview) ? nothing : modeView(rules)}
      ${preview && !registers ? columnsView({ preview, sources, isOpen, choose: chooseSources, chooseSheet }) : nothing}`,
    buttons: html`<button autofocus>${t('cancel')}</button>${busy ? nothing : next()}`,
    close
  }
}

/** The report of a check, even of one that is running, is not for other columns or another rule. */
function choose (changes) {
  sending.abort()
  return set({ ...changes, report: undefined, problem: null, busy: false })
}

/** What an import does decides what its check finds. */
async function chooseRule (rule) {
  await choose({ rule })
  if (!current.sources || isComplete(sourcesOf(current))) await check()
}

/**
 * Takes the next step, whose outcome is at the top. Not by the second click of a double-click: it was meant for the button that was at
 * the same place before.
 */
const step = run => event => {
  if (event.detail > 1) return
  const status = document.getElementById('import-status')
  status.focus({ preventScroll: true })
  status.closest('dialog').scrollTo(0, 0)
  return run()
}

/** The button for the next step, if there is one. */
function next () {
  const { file, sheet, rule, registers, preview, report, problem } = current
  // 409: the service is still reading from the lost connection.
  if (problem?.temporary || (problem?.status === 409 && problem.kind !== 'operation-undone')) {
    return button(t('tryAgain'), step(registers ? register : preview ? check : () => open(file, sheet, rule)), 'primary')
  }
  if (problem) return button(t('import.anotherFile'), chooseFile, 'primary')
  if (report) return changed(report) > 0 ? button(t('import.yes', { count: changed(report) }), step(register), 'primary') : nothing
  if (!preview) return nothing
  const isDisabled = !isComplete(sourcesOf(current))
  return html`<button class="primary" type="button" ?disabled=${isDisabled} @click=${step(check)}>${t('import.check')}</button>`
}
