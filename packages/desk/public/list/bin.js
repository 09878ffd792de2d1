// The bin: removed customers are listed, searched and restored while their history is kept.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { stayOpen } from '../parts/dialog.js'
import { createReader, focusItem } from '../parts/dialog-list.js'
import { button, time } from '../parts/parts.js'
import { authorOf } from '../people.js'
import { customers, nameOf, reasonOf } from '../register.js'
import { may, state, update } from '../state.js'
import { readPages, refresh } from './list.js'
import { restore } from './remove.js'

const TYPING_PAUSE_MS = 150

/** `{ text, items, next, busy, done, problem }`; `done` says what was restored. */
let bin
let typing
const { read, stop } = createReader(set)

/** Opens the dialog. */
export async function openBin () {
  bin = { text: '', items: [] }
  update({ dialog: binDialog })
  await load()
}

function binDialog () {
  const { text, items, next, busy, done, problem } = bin
  return {
    title: t('bin.title'),
    body: html`<input id="bin-search" type="search" autofocus autocomplete="off"
        aria-label=${t('bin.search')} placeholder=${t('bin.search')}
        .value=${live(text)} @input=${({ target }) => search(target.value)} @keydown=${stayOpen}>
      <p role="status">${done ?? (items.length > 0 ? nothing : busy ? t('search.loading') : problem ? nothing : emptyText())}</p>
      ${problem ? html`<p role="alert" dir="auto">${problem}</p>` : nothing}
      ${items.length > 0
        ? html`<ul class="lines" tabindex="0" aria-label=${t('bin.title')} aria-busy=${busy}>${items.map(row)}</ul>`
        : nothing}
      ${problem || next ? button(t(problem ? 'tryAgain' : 'showMore'), () => load({ more: !problem }), 'link') : nothing}`,
    buttons: html`<button>${t('close')}</button>`,
    close
  }
}

const emptyText = () => bin.text.trim() || bin.next ? t('search.nothingFound') : `${t('bin.none')} ${t('bin.kept')}`

function row (customer) {
  const { customerid, customeraddress, at, sub, client_id: app } = customer
  const name = nameOf(customer)
  const { who, name: user } = authorOf(sub)
  return html`<li class="row"><div><b><bdi>${name}</bdi></b>
      <span>${rich('customer.numberAndAddress', { number: customerid, address: customeraddress })}</span>
      <p>${rich(`history.removed.${who}`, { name: user })}${app ? html` · <bdi>${app}</bdi>` : nothing} · ${time(at)}</p></div>
    ${may('write')
      ? html`<button type="button" aria-label=${t('bin.restore', { name })} @click=${() => bringBack(customer)}>${t('restore')}</button>`
      : nothing}</li>`
}

function close () {
  clearTimeout(typing)
  stop()
}

function search (text) {
  set({ text, done: undefined })
  clearTimeout(typing)
  typing = setTimeout(() => load(), TYPING_PAUSE_MS)
}

const load = ({ more = false } = {}) => read(async signal => {
  const q = bin.text.trim() || undefined
  const { items, next } = await readPages(more ? bin.next : undefined, cursor => customers.removed({ q, cursor }, { signal }))
  return { items: more ? [...bin.items, ...items] : items, next }
})

/** Restores a customer. The next one's button gets the focus. */
async function bringBack (customer) {
  const name = nameOf(customer)
  const reason = await restore(customer).then(() => null, reasonOf)
  if (!state.session) return
  if (reason) {
    const problem = t('failure', { what: t('restore.failed', { name }), why: t('reason.sentence', { reason }) })
    return set({ problem, done: undefined })
  }
  const index = bin.items.indexOf(customer)
  await set({ items: bin.items.filter(item => item !== customer), problem: undefined, done: t('restore.done', { name }) })
  focusItem('.question .row', index, 'bin-search')
  await refresh()
}

function set (changes) {
  Object.assign(bin, changes)
  return update()
}
