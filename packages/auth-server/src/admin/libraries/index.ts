import { angularOauth2Oidc } from './angular-oauth2-oidc.js'
import { authJs } from './auth-js.js'
import { authlib } from './authlib.js'
import { hono } from './hono.js'
import type { Library } from './library.js'
import { modAuthOpenidc } from './mod-auth-openidc.js'
import { msalBrowser } from './msal-browser.js'
import { oidcClientTs, reactOidcContext } from './oidc-client-ts.js'
import { oauth4webapi, openidClient } from './panva.js'
import { passport } from './passport.js'

/** Every library of the option `--for`. To add one, add a file and a line. */
export const libraries: readonly Library[] = [
  oidcClientTs,
  reactOidcContext,
  angularOauth2Oidc,
  openidClient,
  oauth4webapi,
  authJs,
  passport,
  hono,
  msalBrowser,
  authlib,
  modAuthOpenidc
]
