import { t } from '../language.js'

/** The table's columns. `sort` is the register's sort key of the first click, `by` the order's name in the menu. */
export const columns = [
  { name: 'number', label: t('field.customerid'), by: t('sort.id'), sort: 'id' },
  { name: 'name', label: t('field.customername'), by: t('sort.name'), sort: 'name' },
  { name: 'age', label: t('field.customerage'), by: t('sort.age'), sort: 'age' },
  { name: 'address', label: t('field.customeraddress'), by: t('sort.address'), sort: 'address' },
  { name: 'changed', label: t('changed'), by: t('sort.updated'), sort: '-updated' }
]

/** The field of a sort key, whose `-` reverses the order. */
export const fieldOf = key => key.replace('-', '')
