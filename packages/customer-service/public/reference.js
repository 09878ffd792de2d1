// Draws the operations with Swagger UI. What differs from service to service is in the attributes of the element.
/* global SwaggerUIBundle */
const place = document.getElementById('operations-here')
const { document: url, callback, scopes, client: clientId } = place.dataset
const nothing = () => null

const dark = matchMedia('(prefers-color-scheme: dark)')
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', dress)
dress()

/** What Swagger UI lacks for those who hear the page. */
const mends = {
  'select:not([aria-label]), textarea:not([aria-label])' (field) {
    const { paramName, propertyName } = field.closest('[data-param-name], [data-property-name]')?.dataset ?? {}
    field.ariaLabel = paramName ?? propertyName ?? (field.matches('.examples-select-element') ? 'Example' : 'Body')
  },
  '.modal-ux:not([role])' (dialog) {
    dialog.setAttribute('role', 'dialog')
    dialog.ariaLabel = 'Authorize'
    const close = dialog.querySelector('.close-modal')
    close.ariaLabel = 'Close'
    // The field for a token, the last of all, takes the focus, and everything above it is out of sight.
    close.focus()
    dialog.querySelector('.modal-ux-content').scrollTop = 0
  },
  // Other words than those that are seen.
  '.modal-ux .authorize[aria-label]': button => button.removeAttribute('aria-label'),
  '.modal-ux .scopes h2': heading => heading.setAttribute('aria-level', '5'),
  // One of many, all without a name.
  '.responses-table[role=region]': table => table.removeAttribute('role')
}
new MutationObserver(() => {
  for (const [selector, mend] of Object.entries(mends)) for (const element of place.querySelectorAll(selector)) mend(element)
}).observe(place, { childList: true, subtree: true })

/** Shows the samples of an operation before its responses. */
const withSamples = (Responses, { React: { createElement: h, Fragment }, specSelectors }) => props => {
  const samples = specSelectors.specJson().getIn(['paths', props.path, props.method, 'x-codeSamples'])?.toJS() ?? []
  const shown = samples.map(({ label, source }) =>
    h('details', { key: label }, h('summary', null, label), h('pre', { tabIndex: 0, 'aria-label': label }, source)))
  return h(Fragment, null, shown.length > 0 && h('div', { className: 'samples' }, shown), h(Responses, props))
}

const ui = SwaggerUIBundle({
  url,
  domNode: place,
  layout: 'BaseLayout',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  syntaxHighlight: false,
  defaultModelsExpandDepth: -1,
  oauth2RedirectUrl: new URL(callback, location.href).href,
  validatorUrl: null,
  // Title and addresses stand above, in the page itself; a link inside of a button is one too many for a keyboard.
  plugins: [() => ({
    components: { InfoContainer: nothing, ServersContainer: nothing, DeepLink: ({ text }) => text },
    wrapComponents: { responses: withSamples }
  })]
})
ui.initOAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true })
