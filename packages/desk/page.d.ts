// The modules that are not in public/, at the paths where the server serves them; see src/page-files.ts.
declare module '*/customer-client.js' { export * from '@frontdesk/customer-client' }
declare module '*/lit/lit-html.js' { export * from 'lit-html' }
declare module '*/lit/directives/guard.js' { export * from 'lit-html/directives/guard.js' }
declare module '*/lit/directives/keyed.js' { export * from 'lit-html/directives/keyed.js' }
declare module '*/lit/directives/live.js' { export * from 'lit-html/directives/live.js' }
declare module '*/lit/directives/repeat.js' { export * from 'lit-html/directives/repeat.js' }
declare module '*/sign-in/oauth.js' { export * from '@frontdesk/browser-app/oauth.js' }
declare module '*/sign-in/openid.js' { export * from '@frontdesk/browser-app/openid.js' }
declare module '*/sign-in/tokens.js' { export * from '@frontdesk/browser-app/tokens.js' }

// Made by src/routes/page.ts.
declare module '*/texts.js' {
  const texts: typeof import('./src/languages/en.json')
  export default texts
}
