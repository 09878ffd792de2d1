import { command, noun } from '../../src/cli/command.js'
import { CommandError, UsageError } from '../../src/cli/errors.js'
import { main } from '../../src/cli/main.js'
import { wholeNumber } from '../../src/cli/option.js'

const add = command('add <pet_name>', {
  says: 'Add a pet.',
  options: {
    '--legs <number>': { says: 'how many', parse: wholeNumber(8), default: 1 },
    '--tag <tag>': { says: 'repeatable', repeatable: true },
    '--loud': 'say what is done'
  },
  json: 'the pet',
  async run ({ petName, legs, tag, loud, json }, { say }) {
    if (petName === '') throw new UsageError('name the pet')
    if (petName === 'tom') throw new CommandError('No cats.')
    if (petName === 'taken') throw new RangeError('taken')
    if (petName === 'bug') throw new Error('a bug')
    if (loud || json) say(`Adding ${petName}.`)
    return { petName, legs, tag, isLoud: loud }
  },
  text: ({ petName, legs }) => `Added ${petName}, ${legs} ${legs === 1 ? 'leg' : 'legs'}.`,
  fields: ({ isLoud, ...pet }) => pet,
  note: ({ isLoud }) => isLoud ? 'It barks.' : undefined,
  exitCode: ({ isLoud }) => isLoud ? 4 : 0
})

await main({
  name: 'pets',
  says: 'Pets.',
  more: 'More.',
  packageFile: new URL('../../../package.json', import.meta.url),
  commands: [noun('pet', 'Manage pets.', [add])],
  explain: error => error instanceof RangeError ? `Explained: ${error.message}` : undefined
})
