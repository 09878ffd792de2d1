import type { Program } from '@frontdesk/service-kit/sign-in/authorization-server'

/** `frontdesk-customer`, as a program that users sign in with. */
export const program: Program = {
  name: 'frontdesk-customer',
  file: 'customer',
  setting: { option: '--issuer', variable: 'ISSUER' },
  registration: "--name 'Customer register' --grant urn:ietf:params:oauth:grant-type:device_code --grant refresh_token"
}
