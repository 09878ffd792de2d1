/* global DATE_FORMAT */
// What pages do better with a script: times in the zone of the person, and passwords that can be shown.
const format = new Intl.DateTimeFormat(document.documentElement.dataset.formats, DATE_FORMAT)
for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime))

for (const box of document.querySelectorAll('[data-reveal]')) {
  box.parentElement.hidden = false
  box.addEventListener('change', () => {
    for (const field of box.form.querySelectorAll('[autocomplete$="-password"]')) field.type = box.checked ? 'text' : 'password'
  })
  // What browsers and password managers store is a password, never a text.
  box.form.addEventListener('submit', () => {
    box.checked = false
    box.dispatchEvent(new Event('change'))
  })
}

for (const button of document.querySelectorAll('[data-copy]')) {
  // Only secure origins have a clipboard.
  button.hidden = navigator.clipboard === undefined
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = button.dataset.copied
  })
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
