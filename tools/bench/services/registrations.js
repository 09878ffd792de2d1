/** The clients and the user of auth-server and of the hand-written limits. */
export const CLIENT = 'shop-web'
export const TOKEN_CLIENT = 'shop-service'
export const CALLBACK = 'https://shop.example/callback'
export const SCOPE = 'customer:read customer:write'
export const USERNAME = 'erika'
export const PASSWORD = 'correct horse battery staple'
