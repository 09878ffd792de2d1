import globals from 'globals'
import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

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
    files: ['examples/browser-app/public/**', 'packages/*/public/**', 'packages/*/views/**'],
    languageOptions: { globals: globals.browser }
  }
]
