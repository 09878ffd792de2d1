// A question before something is removed. It names what it is about.
import { html, nothing } from './lit/lit-html.js'
import { state, update } from './state.js'

/**
 * Asks, and waits for the answer.
 * @param {{ title: string, lines?: string[], text?: string, yes: string }} question
 * @returns {Promise<boolean>}
 */
export async function isSure (question) {
  const from = document.activeElement
  const answer = await new Promise(resolve => update({ question: { ...question, resolve } }))
  await update({ question: null })
  from?.focus()
  return answer
}

/** The dialog. The button that changes nothing has the focus. */
export function questionView () {
  const { question } = state
  if (!question) return nothing
  const { title, lines = [], text, yes, resolve } = question
  return html`<dialog class="question" aria-labelledby="question-title" @cancel=${() => resolve(false)} @close=${() => resolve(false)}>
    <h2 id="question-title">${title}</h2>
    ${lines.length > 0 ? html`<ul>${lines.map(line => html`<li>${line}</li>`)}</ul>` : nothing}
    ${text ? html`<p>${text}</p>` : nothing}
    <div class="buttons">
      <button type="button" autofocus @click=${() => resolve(false)}>Cancel</button>
      <button class="danger" type="button" @click=${() => resolve(true)}>${yes}</button>
    </div>
  </dialog>`
}
