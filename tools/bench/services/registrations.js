/** The clients and the user of auth-server and of the hand-written limits. */
export const CLIENT = 'shop-web'
export const TOKEN_CLIENT = 'shop-service'
/** Several, since auth-server limits the requests of each: ten thousand in ten minutes. */
export const DEVICE_CLIENTS = Array.from({ length: 10 }, (_, index) => `shop-tv-${index}`)
export const CALLBACK = 'https://shop.example/callback'
export const SCOPE = 'customer:read customer:write'
export const USERNAME = 'erika'
export const PASSWORD = 'correct horse battery staple'
