import globals from 'globals'
import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'
import { functionSize } from './scripts/function-size.js'

export default [
  ...neostandard({ ts: true, ignores: resolveIgnoresFromGitignore() }),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    rules: {
      // A text in one piece can be searched for, and a command in one piece copied.
      '@stylistic/max-len': ['error', {
        code: 140, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignorePattern: '^// +npx '
      }]
    }
  },
  {
    files: ['**/*.ts'],
    rules: {
      '@stylistic/member-delimiter-style': ['error', { multiline: { delimiter: 'none' }, singleline: { delimiter: 'comma' } }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      // A schema and its type share a name.
      '@typescript-eslint/no-redeclare': 'off'
    }
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: ['**/generated/**'],
    plugins: { local: { rules: { 'function-size': functionSize } } },
    rules: { 'local/function-size': 'error', 'max-params': ['error', 4] }
  },
  {
    // Data: instruments, metadata, samples and texts.
    files: [
      'packages/*/src/plugins/metrics.ts', 'packages/auth-server/src/routes/discovery/metadata.ts',
      'packages/auth-server/src/testing/bad-tokens.ts', 'packages/customer-service/src/docs/samples*.ts',
      'packages/service-kit/src/doctor/explain.ts'
    ],
    rules: { 'local/function-size': 'off' }
  },
  {
    files: ['examples/browser-app/public/**', 'packages/*/public/**', 'packages/*/views/**'],
    languageOptions: { globals: globals.browser }
  }
]
