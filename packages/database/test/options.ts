/** Options of a connection in a test. */
export const options = {
  poolSize: 1,
  connectTimeout: 1_000,
  statementTimeout: 1_500,
  createsFolder: true,
  tls: false,
  tlsCa: undefined,
  preparedStatements: 'auto',
  applicationName: 'test'
} as const
