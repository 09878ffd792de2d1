// The dialog in the middle of the page: a question, the help or an import. When it closes, the browser restores the focus.
import { t } from '../language.js'
import { html } from '../lit/lit-html.js'
import { state, update } from '../state.js'

/** The dialog that was opened last. Its `close` event comes a frame later, when `state.dialog` may already be the next one. */
let shown = null
/** The panel that was opened last, for the same reason. */
let shownPanel = null

/**
 * The dialog, even while closed. `state.dialog` is a function that returns `{ title, body, buttons, close }`. Escape and
 * buttons of type `submit` close it, and `close` gets the button's value.
 */
export function dialogView () {
  const { title, body, buttons } = state.dialog?.() ?? {}
  return html`<dialog class="question" aria-labelledby="dialog-title" ?data-open=${state.dialog} @close=${onClose}>
    <form method="dialog">
      <h2 id="dialog-title">${title}</h2>
      ${body}
      <div class="buttons">${buttons}</div>
    </form>
  </dialog>`
}

async function onClose ({ target }) {
  // The next one has opened meanwhile.
  if (target.open) return
  const closed = shown
  shown = null
  if (state.dialog === closed) await update({ dialog: null })
  closed?.().close?.(target.returnValue)
}

/** Opens and closes the page's dialogs after rendering. */
export function syncDialogs () {
  for (const dialog of document.querySelectorAll('dialog')) {
    const isWanted = 'open' in dialog.dataset
    if (isWanted && dialog.className === 'question') {
      // The user has closed it; the event follows.
      if (!dialog.open && shown === state.dialog) continue
      if (!dialog.open) shown?.().close?.(dialog.returnValue)
      shown = state.dialog
    }
    if (isWanted && dialog.className === 'panel') {
      if (!dialog.open && shownPanel === state.panel.opened) continue
      shownPanel = state.panel.opened
    }
    if (isWanted === dialog.open) continue
    dialog.returnValue = ''
    if (isWanted) dialog.showModal()
    else dialog.close()
  }
}

/** For fields: keeps Enter from closing the dialog. */
export function stayOpen (event) {
  if (event.key === 'Enter') event.preventDefault()
}

/** Asks for confirmation. The button that changes nothing has the focus. `body` can be a function. @returns {Promise<boolean>} */
export function isSure ({ title, body, yes, kind = 'danger' }) {
  const buttons = html`<button autofocus formnovalidate>${t('cancel')}</button><button class=${kind} value="yes">${yes}</button>`
  return new Promise(resolve => update({
    dialog: () => ({ title, body: typeof body === 'function' ? body() : body, buttons, close: answer => resolve(answer === 'yes') })
  }))
}
