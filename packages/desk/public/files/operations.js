// Changes of many customers, such as imports: listed, newest first, and undone.
import { formatTime, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { createReader } from '../parts/dialog-list.js'
import { button, time } from '../parts/parts.js'
import { authorOf } from '../people.js'
import { customers } from '../register.js'
import { may, update } from '../state.js'
import { openUndoApp } from './undo-app.js'
import { undoChanges } from './undo.js'

/** @typedef {import('../customer-client.js').Operation} Operation */

/** `{ items, next, busy, problem }` */
let shown
const { read, stop } = createReader(set)

/** Opens the dialog. */
export async function openOperations () {
  shown = { items: [] }
  update({ dialog: operationsDialog })
  await load()
}

function operationsDialog () {
  const { items, next, busy, problem } = shown
  const note = items.length > 0 || problem ? nothing : `${t('operations.none')} ${t('operations.kept')}`
  return {
    title: t('operations.title'),
    body: html`<p role="status" tabindex="-1" autofocus>${busy ? t('search.loading') : note}</p>
      ${problem ? html`<p role="alert" dir="auto">${problem}</p>` : nothing}
      ${items.length > 0 ? html`<ul class="lines" tabindex="0" aria-label=${t('operations.title')}>${items.map(row)}</ul>` : nothing}
      ${next || problem ? button(t(problem ? 'tryAgain' : 'showMore'), load, 'link') : nothing}`,
    buttons: html`<button>${t('close')}</button>
      ${may('write') && may('delete') ? button(t('undoApp.open'), openUndoApp) : nothing}`,
    close: stop
  }
}

/** @param {Operation} operation */
function row ({ operation, kind, at, sub, client_id: app, customers: changed, undone }) {
  const { who, name } = authorOf(sub)
  return html`<li class="row"><div><b>${t(`operation.${kind}`)}</b>
      <span>${t('customers', { count: changed })}</span>
      <p>${t(`operation.by.${who}`, { name: name ?? '' })}${app ? html` · <bdi>${app}</bdi>` : nothing} · ${time(at)}</p></div>
    ${undone
      ? html`<p>${t('operations.undone')}</p>`
      : may('write') && may('delete')
        ? html`<button type="button" @click=${() => undoChanges(operation)}>${t('undo')}<span class="unseen"> ${t(`operation.${kind}`)},
            ${formatTime(at)}</span></button>`
        : nothing}</li>`
}

const load = () => read(async signal => {
  const { items, next } = await customers.operations({ cursor: shown.next }, { signal })
  return { items: [...shown.items, ...items], next }
})

function set (changes) {
  Object.assign(shown, changes)
  return update()
}
