// What is said to the person: the result region, and the notes next to the fields of a form.

const region = document.getElementById('result')

/** Makes an element; `content` is text or elements, never markup. */
export function element (tag, properties, ...content) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...content)
  return made
}

/** Says what came of it; `line` is what went over the wire. */
export function say (title, { line, details = [] } = {}) {
  put('status', title, details, line)
}

/** Says what went wrong. */
export function warn (title, { line, details = [] } = {}) {
  put('alert', title, details, line)
}

function put (role, title, details, line) {
  const close = element('button', { type: 'button', className: 'close', ariaLabel: 'Close', textContent: '×' })
  close.addEventListener('click', () => region.replaceChildren())
  region.role = role
  region.replaceChildren(element('p', { className: 'title' }, title), close, ...details)
  if (line) region.append(element('p', { className: 'line' }, line))
}

/** A record as a list of its fields, under the names they have on the wire. */
export function fieldList (record) {
  const rows = Object.entries(record).map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, String(value))))
  return element('dl', {}, ...rows)
}

/** Says what a refusal says, and shows its messages about fields next to the inputs of `form`. */
export function showRefusal ({ problem, advice, line }, form) {
  const marked = markFields(problem, form)
  const others = (problem.errors ?? []).filter(({ field }) => !form.elements.namedItem(field))
  // The service names fields as they are on the wire; the page has labels for them.
  const detail =
    marked.length > 0 ? `Correct the marked fields: ${marked.map(({ labels }) => labels[0].textContent).join(', ')}.` : problem.detail
  warn(problem.title, {
    line: problem.requestId ? `${line} · reference ${problem.requestId}` : line,
    details: [detail, ...others.map(({ field, detail }) => `${field}: ${detail}`), detail?.includes(advice) ? null : advice]
      .filter(Boolean)
      .map(text => element('p', {}, text))
  })
  marked[0]?.focus()
}

/** Shows a problem's messages about fields next to the inputs of `form`. @returns {HTMLInputElement[]} these inputs */
export function markFields ({ errors = [] }, form) {
  for (const { field, detail } of errors) {
    const input = form.elements.namedItem(field)
    if (input) addNote(input, detail)
  }
  return [...form.querySelectorAll('[aria-invalid]')]
}

/** Takes the notes of the last refusal away. */
export function clearNotes (form) {
  for (const note of form.querySelectorAll('.note')) note.remove()
  for (const input of form.querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid')
    input.removeAttribute('aria-describedby')
  }
}

function addNote (input, text) {
  const earlier = document.getElementById(`${input.id}-note`)
  if (earlier) return earlier.append(` ${text}`)
  const note = element('p', { className: 'note', id: `${input.id}-note` }, text)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', note.id)
  input.after(note)
}

/** Lets the person choose among customers of one name. `choose` is called with the id. */
export function offerCandidates ({ problem, line }, known, choose) {
  const buttons = problem.candidates.map(({ customerid }, index) => {
    const address = known[index]?.customeraddress
    const button = element('button', { type: 'button' }, address ? `Customer ${customerid}, ${address}` : `Customer ${customerid}`)
    button.dataset.customerid = customerid
    button.addEventListener('click', () => choose(customerid))
    return element('li', {}, button)
  })
  const left = problem.total - buttons.length
  const more = left > 0 ? [element('p', {}, `${left} more are not listed.`)] : []
  const question = element('p', {}, 'Nothing was changed. Which one do you mean?')
  warn(problem.title, { line, details: [question, element('ul', { className: 'candidates' }, ...buttons), ...more] })
}
