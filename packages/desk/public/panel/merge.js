// Merging what someone else saved into unsaved input, field by field (three-way merge).
import { differences } from '../register.js'

/**
 * Merges the current version of a customer into a draft. What only the other user changed is filled in: `merged`. What both
 * changed is a `conflict`, and keeps this user's input until the user chooses: `{ name, before, theirs, mine, choice }`, where
 * `choice` is `theirs`, `mine` or null.
 */
export function merge ({ before, values, conflict = [] }, theirs) {
  const mine = differences(values, before)
  const result = { before: theirs, values: { ...values }, conflict: [...conflict], merged: [] }
  for (const name of differences(theirs, before)) {
    const now = String(theirs[name])
    const row = conflict.find(row => row.name === name)
    const rest = result.conflict.filter(row => row.name !== name)
    if (!mine.includes(name)) {
      result.values[name] = now
      // The user has chosen theirs before: that remains so.
      if (row) result.conflict = [...rest, { ...row, theirs: now }]
      else result.merged.push({ name, before: String(before[name]), theirs: now })
    } else if (values[name] === now) result.conflict = rest
    else result.conflict = [...rest, { name, before: row?.before ?? String(before[name]), theirs: now, mine: values[name], choice: null }]
  }
  return result
}

/** A conflict's rows after a field was typed, or one of its values was chosen. */
export const withValue = (conflict = [], name, value, isChosen) => conflict.map(row => {
  if (row.name !== name) return row
  if (value === row.theirs) return { ...row, choice: 'theirs' }
  return { ...row, mine: value, choice: isChosen || row.choice ? 'mine' : null }
})
