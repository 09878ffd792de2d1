import type { Notice } from './notices.js'

/** The password was set by someone who knew the previous one, or with a link. */
export const passwordChanged: Notice = {
  what: 'Your password was changed',
  says: site => [`The password of your account at ${site} was changed.`]
}

/** The password was set by an operator. */
export const passwordSet: Notice = {
  what: 'An administrator set a new password',
  says: site => [`An administrator set a new password for your account at ${site}. The previous one no longer works.`],
  doubt: 'If you didn\'t ask for this'
}

/** For the previous address: an attacker controls the new one. */
export const addressChanged: Notice = {
  what: 'Your email address was changed',
  says: site => [`The email address of your account at ${site} was changed.`],
  remedy: 'sign everyone out, then contact your administrator'
}

/** A sign-in with a new browser. `at`: the time. `undefined`: unknown, or not to be named. */
interface NewSignIn { readonly at: string, readonly browser: string | undefined, readonly app: string | undefined }

export function signedIn ({ at, browser = 'unknown', app }: NewSignIn): Notice {
  return {
    what: 'New sign-in',
    says: site => [
      `Someone signed in to your account at ${site} with a browser that you haven't used there before.`,
      `Time: ${at}. Browser: ${browser}.${app === undefined ? '' : ` App: ${app}.`}`
    ]
  }
}

/** @param count how many in a day */
export function manyWrongCodes (count: number): Notice {
  return {
    what: 'Many wrong codes',
    says: site => [`Someone who knows your password at ${site} has entered ${count} wrong codes for two-step sign-in within a day.`]
  }
}
