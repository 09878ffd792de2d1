/** The table's columns. `sort` is the register's sort key of the first click, `by` the order's name in the menu. */
export const columns = [
  { name: 'number', label: 'Number', sort: 'id' },
  { name: 'name', label: 'Name', sort: 'name' },
  { name: 'age', label: 'Age', sort: 'age' },
  { name: 'address', label: 'Address', sort: 'address' },
  { name: 'changed', label: 'Changed', by: 'last change', sort: '-updated' }
]

/** The field of a sort key, whose `-` reverses the order. */
export const fieldOf = key => key.replace('-', '')
