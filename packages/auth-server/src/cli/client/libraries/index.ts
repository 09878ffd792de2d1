import { angularOauth2Oidc } from './angular-oauth2-oidc.js'
import { authlib } from './authlib.js'
import type { Library } from './library.js'
import { modAuthOpenidc } from './mod-auth-openidc.js'
import { oidcClientTs, reactOidcContext } from './oidc-client-ts.js'
import { oauth4webapi, openidClient } from './panva.js'

/** Every library of the option `--for`. To add one, add a file and a line. */
export const libraries: readonly Library[] = [
  oidcClientTs,
  reactOidcContext,
  angularOauth2Oidc,
  openidClient,
  oauth4webapi,
  authlib,
  modAuthOpenidc
]
