// Shows which input is not saved: a chip in the rows, and the menu of all drafts.
import { t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { all, draftOf, isNew } from './drafts.js'
import { discardDraft, openKept } from './panel.js'
import { openMenu } from '../parts/menu.js'
import { nameOf } from '../register.js'

/** Marks a customer with unsaved input. */
export const draftChip = id => draftOf(id) ? html`<span class="chip">${t(draftOf(id).waiting ? 'drafts.waiting' : 'drafts.chip')}</span>` : nothing

/** The menu's button, if there are drafts. */
export function draftsButton () {
  const { length } = all()
  if (length === 0) return nothing
  return html`<button type="button" id="drafts" aria-haspopup="menu" @click=${openMenu(draftsMenu)}>${t('drafts.count', { count: length })}</button>`
}

const draftsMenu = () => all().map(draft => {
  const { id, values, before, waiting } = draft
  const name = isNew(id) ? values.customername.trim() || t('drafts.new', { number: values.customerid }) : nameOf(before)
  return {
    label: html`<bdi>${name}</bdi>${waiting ? html` <span class="chip">${t('drafts.waiting')}</span>` : nothing}`,
    run: () => openKept(id),
    aside: { label: t('discard'), name: t('drafts.discard', { name }), run: () => discardDraft(id) }
  }
})
