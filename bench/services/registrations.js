/** The app and the person that auth-server and the hand-written limit know. */
export const CLIENT = 'shop-web'
export const CALLBACK = 'https://shop.example/callback'
export const SCOPE = 'customer:read customer:write'
export const USERNAME = 'erika'
export const PASSWORD = 'correct horse battery staple'
