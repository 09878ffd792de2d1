/** Grants that any app may register for: they give tokens only after a person allowed it on a page that names the app. */
export const USUAL_GRANTS: readonly string[] = ['authorization_code', 'refresh_token']
